import { moment } from '#test/support/moment.ts';
import { EmbeddedFixture, skipWithoutPty } from '#test/world/embedded-fixture.ts';
import { sandboxed } from '#world/isolation/bubblewrap.ts';
import { findProgram } from '#world/program/find-program.mjs';

const bwrap = findProgram('bwrap');
/** It reports the signal of Ctrl-C, which a shell does only if that was not ignored when it started. */
const script = `trap 'echo interrupted' INT; echo ready
while :; do read -r line && echo "read $line"; sleep 0.05; done`;

(bwrap ? describe : describe.skip)('a program in a sandbox of bubblewrap', function () {
  this.timeout(30_000);
  const fixture = new EmbeddedFixture();
  before(skipWithoutPty);
  after(() => fixture.close());

  it('gets the signal of Ctrl-C, which does not end what is around it', async () => {
    const spec = { mounts: [], cwd: '/', network: 'own', relays: [], set: {}, unset: [] } as const;
    const argv = sandboxed({ bwrap: bwrap ?? '', socat: '' }, spec, ['/bin/bash', '-c', script]);
    const terminal = await (await fixture.terminals()).of('person');
    const { paneId } = await terminal.open(fixture.window('person', argv));
    const shows = (text: string) =>
      moment(text, async () => ((await terminal.capture(paneId))?.rows ?? []).join('\n').includes(text), 15_000);
    await shows('ready');
    await terminal.press(paneId, ['C-c']);
    await shows('interrupted');
    await terminal.type(paneId, 'on');
    await terminal.press(paneId, ['Enter']);
    await shows('read on');
  });
});
