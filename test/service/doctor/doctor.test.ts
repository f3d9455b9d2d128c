import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Check } from '#contract/host/check.ts';
import { builtIn } from '#machines/harness/table.ts';
import { inShort } from '#service/service-checks.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { inSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { skipWithoutPty } from '#test/world/embedded-fixture.ts';
import { writePidFile } from '#world/process/pid-file.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const muster = fileURLToPath(new URL('../../../bin/muster', import.meta.url));

describe('muster doctor', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('doctor');
  });
  afterEach(() => place.remove());

  function doctor(environment: Record<string, string> = {}, ...args: string[]) {
    const env = { ...bareEnvironment(), MUSTER_HOME: join(place.path, 'home'), MUSTER_PORT: '0', ...environment };
    return spawnSync(muster, ['doctor', ...args], { env, encoding: 'utf8' });
  }

  /** What it found of one thing, and its exit status. */
  function check(name: string, environment: Record<string, string> = {}): Check & { status: number | null } {
    const { stdout, status } = doctor(environment, '-o', 'json');
    const { checks }: { checks: Check[] } = JSON.parse(stdout);
    const found = checks.find((one) => one.name === name);
    expect(found, `${name} in ${stdout}`).not.to.equal(undefined);
    return { ...(found as Check), status };
  }

  it('prints a line for each check, and exits with 0 if all pass', () => {
    const { stdout, status } = doctor();
    expect(status, stdout).to.equal(0);
    const [lines = '', verdict] = stdout.split('\n\n');
    expect(verdict).to.match(/^muster can run here/);
    const names = lines.split('\n').map((line) => /^(?:ok|warn|fail) +(\S+(?: \S+)?) {2}/.exec(line)?.[1]);
    expect(names).to.include.members(['node', 'nats-server', 'tmux', 'git', 'state folder', 'free space', 'port']);
    expect(names).not.to.include(undefined);
  });

  it('shows in short of each host what is wrong, and always what isolates and limits agents there, or why nothing can', () => {
    const well = (name: string, found = 'fine'): Check => ({ name, outcome: 'ok', found, mend: '' });
    const none = 'cannot be isolated: bwrap is not on the PATH of this host. Install bubblewrap and socat, then retry';
    const checks = [well('git'), well('sandbox', none), well('container'), well('limits')];
    const lines = (more: readonly Check[] = []) =>
      inShort({ name: 'host one', checks: [...checks, ...more] }, []).map(({ name, found }) => `${name}: ${found}`);
    const choices = [`host one: sandbox: ${none}`, 'host one: container: fine', 'host one: limits: fine'];
    expect(lines()).to.deep.equal(['host one: 4 checks passed', ...choices]);
    const broken: Check = { name: 'clock', outcome: 'warn', found: 'behind', mend: 'set it' };
    expect(lines([broken])).to.deep.equal(['host one: clock: behind', ...choices]);
  });

  it('lists missing coding agents in one line', () => {
    const bare = `${dirname(process.execPath)}:/usr/bin:/bin`;
    const { outcome, found } = check('coding agents', { PATH: bare });
    expect(outcome).to.equal('warn');
    expect(found).to.match(/^none of claude, codex, .* is on the PATH$/);
  });

  inSoak('lists the coding agents that are missing beside others, and a fault in its last line', () => {
    const bare = `${dirname(process.execPath)}:/usr/bin:/bin`;
    const other = check('other agents', { PATH: `${older('claude', '1.0.0')}:${bare}` });
    expect(other.found).to.match(/^not on the PATH: codex, /);
    expect(other.outcome).to.equal('ok');
    const { stdout, status } = doctor({ PATH: older('nats-server', '2.8.4') });
    expect(status).to.equal(1);
    expect(stdout).to.match(/\n\nmuster cannot run here until you fix 1 failed check\n$/);
  });

  inSoak('warns about a CLI that is newer than its rules, with the remedy', () => {
    const recordedWith = builtIn.find('claude')?.recordedWith;
    const { status, outcome, found, mend } = check('claude', { PATH: older('claude', '999.0.0') });
    expect([status, outcome]).to.deep.equal([0, 'warn']);
    expect(found).to.equal(`999.0.0 at ${place.path}/claude; rules recorded with ${recordedWith}, this is 999.0.0`);
    expect(mend).to.include('update muster, or install newer rules');
    expect(check('claude', { PATH: older('claude', recordedWith ?? '') })).to.deep.include({ outcome: 'ok' });
  });

  inSoak('runs no launch of a rules file, because it is unconfirmed', () => {
    const rules = join(place.path, 'home', 'rules');
    const mark = join(place.path, 'ran');
    mkdirSync(rules, { recursive: true });
    const launch = { command: 'sh', versionArgs: ['-c', `echo 1.2.3; touch ${mark}`] };
    writeFileSync(join(rules, 'house-agent.json'), JSON.stringify({ launch }));
    expect(check('house-agent')).to.deep.include({ outcome: 'ok' });
    expect(existsSync(mark)).to.equal(false);
  });

  inSoak('warns about a refused rules file, with line and reason, and accepts a valid one', () => {
    const rules = join(place.path, 'home', 'rules');
    mkdirSync(rules, { recursive: true });
    writeFileSync(join(rules, 'house-agent.json'), '{"launch": {"command": "bash"}}');
    writeFileSync(join(rules, 'claude.json'), '{\n  "disable": ["claude/none"]\n}');
    expect(check('house-agent')).to.deep.include({ outcome: 'ok', status: 0 });
    expect(check('rules house-agent')).to.deep.include({ outcome: 'ok' });
    expect(check('rules claude')).to.deep.include({
      outcome: 'warn',
      found: `${join(rules, 'claude.json')} line 2: disable[0]: there is no rule claude/none`,
      mend: 'fix the file: the built-in version stays in use until then',
    });
  });

  /** Puts a program of some version before the machine's own; gives the PATH. */
  function older(program: string, version: string): string {
    writeFileSync(join(place.path, program), `#!/bin/sh\necho ${program} ${version}\n`);
    chmodSync(join(place.path, program), 0o755);
    return `${place.path}:${process.env['PATH']}`;
  }

  it('fails if a program is too old, with the version to install', () => {
    const { status, outcome, found, mend } = check('nats-server', { PATH: older('nats-server', '2.8.4') });
    expect([status, outcome]).to.deep.equal([1, 'fail']);
    expect(found).to.equal(`2.8.4 at ${place.path}/nats-server`);
    expect(mend).to.include('nats-server 2.9.10 or newer');
  });

  inSoak('fails without tmux if it is required', () => {
    const PATH = older('tmux', '3.1c');
    const { status, outcome, found, mend } = check('tmux', { PATH, MUSTER_TERMINAL: 'tmux' });
    expect([status, outcome]).to.deep.equal([1, 'fail']);
    expect(found).to.include(`tmux 3.1c at ${place.path}/tmux is too old`);
    expect(mend).to.match(/^install tmux 3\.3 or newer \(for instance with `.* install tmux`\)$/);
  });

  inSoak('warns about embedded panes, with their limits and how to get tmux', async function () {
    skipWithoutPty.call(this);
    for (const [more, why, what] of [
      [{ PATH: older('tmux', '3.1c') }, 'tmux 3.1c at', 'install tmux 3.3 or newer'],
      [{ MUSTER_TERMINAL: 'embedded' }, 'MUSTER_TERMINAL is embedded', 'unset MUSTER_TERMINAL and restart'],
    ] as const) {
      const { status, outcome, found, mend } = check('tmux', more);
      expect([status, outcome]).to.deep.equal([0, 'warn']);
      expect(found).to.include(why);
      expect(mend).to.include('end when muster stops').and.to.include('only muster attach').and.to.include(what);
    }
  });

  it('fails if another program has the port, but not if muster has it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const MUSTER_PORT = String(typeof address === 'object' ? address?.port : '');
    expect(check('port', { MUSTER_PORT })).to.deep.include({ status: 1, outcome: 'fail' });
    mkdirSync(join(place.path, 'home/run'), { recursive: true });
    await writePidFile(join(place.path, 'home/run/gateway.pid'), process.pid);
    expect(check('port', { MUSTER_PORT })).to.deep.include({ status: 0, outcome: 'ok' });
    other.close();
  });

  inSoak('fails if the port is unavailable', () => {
    const found = check('port', {
      MUSTER_BIND: '192.0.2.1',
      MUSTER_TLS_CERT: '/c',
      MUSTER_TLS_KEY: '/k',
      MUSTER_PORT: '1',
    });
    expect(found).to.deep.include({ status: 1, outcome: 'fail' });
    expect(found.found).to.include('192.0.2.1');
  });

  it('warns about a state folder that others can read, and fails on one that is not a folder', () => {
    mkdirSync(join(place.path, 'home'));
    chmodSync(join(place.path, 'home'), 0o755);
    expect(check('state folder')).to.deep.include({ status: 0, outcome: 'warn' });
    chmodSync(join(place.path, 'home'), 0o700);
    expect(check('state folder')).to.deep.include({ status: 0, outcome: 'ok' });
    writeFileSync(join(place.path, 'file'), '');
    const MUSTER_HOME = join(place.path, 'file');
    expect(check('state folder', { MUSTER_HOME })).to.deep.include({ status: 1, outcome: 'fail' });
  });

  it('fails almost without disk space, and warns if there is little', function () {
    const home = join(place.path, 'home');
    mkdirSync(home, { mode: 0o700 });
    const sizes = [
      ['16m', 'fail', 1],
      ['512m', 'warn', 0],
    ] as const;
    for (const [size, outcome, status] of someOf(sizes)) {
      if (spawnSync('mount', ['-t', 'tmpfs', '-o', `mode=0700,size=${size}`, 'muster-test', home]).status !== 0)
        this.skip();
      try {
        expect(check('free space')).to.deep.include({ status, outcome });
      } finally {
        spawnSync('umount', [home]);
      }
    }
  });

  inSoak('refuses an unknown flag or output with status 2', () => {
    for (const args of [['-o', 'xml'], ['--fix'], ['now'], ['--host', '']]) {
      const { status, stderr } = doctor({}, ...args);
      expect(status, args.join(' ')).to.equal(2);
      expect(stderr).to.include('Usage: muster doctor');
    }
  });

  it('refuses an invalid setting with status 2', () => {
    const { status, stderr } = doctor({ MUSTER_PORT: 'x' });
    expect(status).to.equal(2);
    expect(stderr).to.include('MUSTER_PORT is "x"');
  });
});

describe('bin/muster', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('launcher');
  });
  afterEach(() => place.remove());

  it('runs from any folder, also through symbolic links, relative ones and names with blanks', () => {
    const folder = join(place.path, 'a folder');
    mkdirSync(folder);
    spawnSync('ln', ['-s', muster, 'first'], { cwd: folder });
    spawnSync('ln', ['-s', 'a folder/first', 'second link'], { cwd: place.path });
    const env = { PATH: '/usr/bin:/bin', MUSTER_HOME: place.path, MUSTER_PORT: '0' };
    for (const [program, cwd] of [
      ['./second link', place.path],
      [join(place.path, 'second link'), '/'],
      ['first', folder],
    ] as const) {
      const PATH = `${folder}:${env.PATH}`;
      const { stdout } = spawnSync(program, ['--version'], { cwd, env: { ...env, PATH }, encoding: 'utf8' });
      expect(stdout, program).to.match(/^\d+\.\d+\.\d+\n$/);
    }
  });
});
