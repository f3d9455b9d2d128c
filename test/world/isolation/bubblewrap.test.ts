import { execFileSync, spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { EmbeddedFixture, skipWithoutPty } from '#test/world/embedded-fixture.ts';
import { sandboxed } from '#world/isolation/bubblewrap.ts';
import { filtersHere } from '#world/isolation/call-filters.ts';
import { type Mount, shownOfSystem, stillHidden } from '#world/isolation/mount.ts';
import { probe } from '#world/isolation/probe.ts';
import { systemCallFilter } from '#world/isolation/system-calls.ts';
import { findProgram } from '#world/program/find-program.mjs';

const bwrap = findProgram('bwrap');
/** It reports the signal of Ctrl-C, which a shell does only if that was not ignored when it started. */
const script = `trap 'echo interrupted' INT; echo ready
while :; do read -r line && echo "read $line"; sleep 0.05; done`;

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

describe('what is hidden of the system in a sandbox', () => {
  it('is nothing within what was asked for, such as a worktree or a grant, but all within programs', () => {
    const hidden = ['/opt/app/src', '/opt/other', '/usr/local/etc/key', '/etc/shadow'].map(
      (at) => ({ at, access: 'empty' }) as const,
    );
    const mounts: Mount[] = [
      { at: '/opt/app', access: 'write' },
      { at: '/opt', access: 'read', isOfSystem: true },
      { at: '/usr/local', access: 'read', isOfSystem: true },
      { at: '/etc/shadow', access: 'read' },
    ];
    expect(stillHidden(hidden, mounts).map(({ at }) => at)).to.deep.equal(['/opt/other', '/usr/local/etc/key']);
  });
});

(bwrap ? describe : describe.skip)('a program in a sandbox of bubblewrap', function () {
  this.timeout(30_000);
  const fixture = new EmbeddedFixture();
  before(skipWithoutPty);
  after(() => fixture.close());

  it('keeps what is closed to others in what it was asked to show, and hides it in the rest of the system', function () {
    if (!mayWrite('/opt')) return this.skip();
    const app = mkdtempSync('/opt/muster-test-');
    try {
      chmodSync(app, 0o755);
      mkdirSync(join(app, 'src'), { mode: 0o700 });
      writeFileSync(join(app, 'README'), 'read', { mode: 0o600 });
      const shown = (mounts: readonly Mount[]) => {
        const spec = { mounts, cwd: app, network: 'own', relays: [], set: {}, unset: [] } as const;
        const [file = '', ...args] = sandboxed({ bwrap: bwrap ?? '', socat: '' }, spec, [
          '/bin/sh',
          '-c',
          'cat README; ls src; echo new > src/new.ts',
        ]);
        return spawnSync(file, args, { encoding: 'utf8' }).stdout;
      };
      expect(shown([{ at: app, access: 'write' }])).to.equal('read');
      expect(readFileSync(join(app, 'src', 'new.ts'), 'utf8')).to.equal('new\n');
      expect(shown([{ at: app, access: 'read' }])).to.equal('readnew.ts\n');
      expect(shown(shownOfSystem(app))).to.equal('');
    } finally {
      rmSync(app, { recursive: true });
    }
  });

  it('starts no program of the PATH inside in front of the sandbox, where it would run as root', async () => {
    const folder = temporaryFolder('path');
    const told = join(folder.path, 'told');
    for (const name of ['mount', 'unshare', 'sh', 'env', 'setsid'])
      writeFileSync(join(folder.path, name), `#!/bin/sh\necho ${name} > ${told}\nexit 1\n`, { mode: 0o755 });
    const spec = { mounts: [], cwd: '/', network: 'own', relays: [], set: {}, unset: [] } as const;
    const [file = '', ...args] = sandboxed({ bwrap: bwrap ?? '', socat: '' }, spec, ['/bin/echo', 'started']);
    const env = { PATH: `${folder.path}:/usr/bin:/bin` };
    expect(execFileSync(file, args, { env, encoding: 'utf8' })).to.equal('started\n');
    expect(existsSync(told)).to.equal(false);
    folder.remove();
  });

  it('is not taken for isolated if no filter of system calls is in force', async () => {
    const spec = { mounts: [], cwd: '/', network: 'own', relays: [], set: {}, unset: [] } as const;
    const folder = temporaryFolder('filter');
    const filter = join(folder.path, 'calls');
    writeFileSync(filter, systemCallFilter());
    const probed = (file: string | undefined, minFilters: number) => {
      const around = (argv: readonly string[]) =>
        sandboxed({ bwrap: bwrap ?? '', socat: '', filter: file }, spec, argv);
      const { path } = folder;
      return probe({ around, env: {}, home: path, stateFolder: path, network: undefined, minFilters, nonce: 'a' });
    };
    const here = filtersHere();
    const refused = async (...given: Parameters<typeof probed>) =>
      expect((await failureOf(() => probed(...given))).message).to.match(
        /every call of the kernel.*Use bubblewrap, or podman/,
      );
    await refused(undefined, here + 1);
    await probed(filter, here + 1);
    // As in a container whose own filter is in force, too.
    await refused(filter, here + 2);
    await probed(undefined, 0);
    folder.remove();
  });

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
