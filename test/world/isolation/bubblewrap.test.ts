import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { EmbeddedFixture, skipWithoutPty } from '#test/world/embedded-fixture.ts';
import { sandboxed } from '#world/isolation/bubblewrap.ts';
import { filtersHere } from '#world/isolation/call-filters.ts';
import { type Mount, stillHidden } from '#world/isolation/mount.ts';
import { probe } from '#world/isolation/probe.ts';
import { systemCallFilter } from '#world/isolation/system-calls.ts';
import { findProgram } from '#world/program/find-program.mjs';

const bwrap = findProgram('bwrap');
const unshare = findProgram('unshare') ?? '';
/** It reports the signal of Ctrl-C, which a shell does only if that was not ignored when it started. */
const script = `trap 'echo interrupted' INT; echo ready
while :; do read -r line && echo "read $line"; sleep 0.05; done`;

/** Prints what sandboxes show of a folder in /opt with files that are closed to others, and what an agent wrote there. */
const closedFilesTried = `
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sandboxed } from '#world/isolation/bubblewrap.ts';
import { shownOfSystem } from '#world/isolation/mount.ts';
const app = '/opt/app';
mkdirSync(app);
mkdirSync(app + '/src', { mode: 0o700 });
writeFileSync(app + '/README', 'read', { mode: 0o600 });
const shown = (mounts) => {
  const spec = { mounts, cwd: app, network: 'own', relays: [], set: {}, unset: [] };
  const script = 'cat README; ls src; echo new > src/new.ts';
  const [file, ...args] = sandboxed({ bwrap: process.argv[1], socat: '' }, spec, ['/bin/sh', '-c', script]);
  return spawnSync(file, args, { encoding: 'utf8' }).stdout;
};
const first = shown([{ at: app, access: 'write' }]);
const written = readFileSync(app + '/src/new.ts', 'utf8');
console.log(JSON.stringify([first, written, shown([{ at: app, access: 'read' }]), shown(shownOfSystem(app))]));
`;

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

(bwrap ? describe : describe.skip)('a program in a sandbox of bubblewrap', () => {
  const fixture = new EmbeddedFixture();
  before(skipWithoutPty);
  after(() => fixture.close());

  it('keeps what is closed to others in what it was asked to show, and hides it in the rest of the system', function () {
    // In a /opt of its own: sandboxes of other tests look into that of this machine.
    const inOwnOpt = ['-m', '/bin/sh', '-c', 'mount -t tmpfs none /opt && exec "$@"', 'opt'];
    if (unshare === '' || spawnSync(unshare, [...inOwnOpt, 'true']).status !== 0) return this.skip();
    const command = [process.execPath, '--input-type=module', '-e', closedFilesTried, bwrap ?? ''];
    const cwd = fileURLToPath(new URL('../../..', import.meta.url));
    const printed = execFileSync(unshare, [...inOwnOpt, ...command], { cwd, encoding: 'utf8' });
    expect(JSON.parse(printed)).to.deep.equal(['read', 'new\n', 'readnew.ts\n', '']);
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
      moment(text, async () => ((await terminal.capture(paneId))?.rows ?? []).join('\n').includes(text));
    await shows('ready');
    await terminal.press(paneId, ['C-c']);
    await shows('interrupted');
    await terminal.type(paneId, 'on');
    await terminal.press(paneId, ['Enter']);
    await shows('read on');
  });
});
