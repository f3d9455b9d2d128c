import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak, isSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { type InstalledPackage, installGlobally, packMuster } from './installed-package.ts';
import { brokenGateway, packAs, unpack } from './other-releases.ts';

/** A migration that the previous release does not know, and that it cannot work with. */
const laterTable = [
  /class:(\w+)\}\];/,
  'class:$1},{name:"2027-01-01-later",class:class extends $1{' +
    `up(){this.addSql('create table "later" ("id" integer)')}}}];`,
] as const;

describe('muster upgrade', function () {
  this.timeout(300_000);
  let place: TemporaryFolder;
  let installed: InstalledPackage;
  let service: WholeService;
  let agentId: string;
  const files: Record<'previous' | 'next' | 'later' | 'broken', string> = {
    previous: '',
    next: '',
    later: '',
    broken: '',
  };
  const home = () => join(place.path, 'state');

  before(async () => {
    place = temporaryFolder('upgrade');
    const packed = unpack((await packMuster(place.path)).file, join(place.path, 'unpacked'));
    files.previous = packAs(packed, '0.0.9', place.path);
    files.next = packAs(packed, '0.2.0', place.path, [laterTable]);
    if (isSoak) files.later = packAs(packed, '0.2.1', place.path, [laterTable]);
    if (isSoak) files.broken = packAs(packed, '0.3.0', place.path, [laterTable, brokenGateway]);
    installed = await installGlobally(files.previous, place.path);
    service = await start();
    agentId = ok(
      muster('new', '--harness', 'shell', '--no-worktree', '--dir', place.path, 'echo hello', '-o', 'json').stdout,
    ).id;
    muster('mail', 'send', agentId, '-s', 'kept', 'is this kept?');
    await moment('its bell has rung', () => muster('mail', 'ls', agentId).stdout.includes('notified'));
  });
  after(async () => {
    await service?.end();
    place.remove();
  });

  const muster = (...args: readonly string[]) =>
    spawnSync(installed.muster, args, {
      cwd: place.path,
      encoding: 'utf8',
      env: {
        ...installed.environment,
        MUSTER_HOME: home(),
        MUSTER_URL: service.url,
        npm_config_ignore_scripts: 'true',
        npm_config_prefer_offline: 'true',
        npm_config_cache: join(homedir(), '.npm'),
      },
    });
  const start = () => {
    const settings = { ...installed.environment, MUSTER_HOME: home(), MUSTER_PORT: '0', MUSTER_LOG: 'warn' };
    return runService(['start'], settings, /ready at (\S+)/, ([, , ...words]) => [installed.muster, ...words]);
  };
  const ok = (printed: string) => JSON.parse(printed) as { id: string };
  const version = () => muster('--version').stdout.trim();
  const upgrade = (file: string, ...more: readonly string[]) => muster('upgrade', '--to', file, ...more);
  /** The program in the agent's window, and its id. */
  const pane = () => {
    const socket = socketOf(socketFolder(join(home(), 'run')), agentId);
    return execFileSync('tmux', ['-S', socket, 'list-panes', '-a', '-F', '#{pane_pid} #{pane_dead}'], {
      encoding: 'utf8',
    });
  };
  const kept = () => ({
    pane: pane(),
    mail: JSON.parse(muster('mail', 'ls', agentId, '-o', 'json').stdout) as unknown,
    agents: (JSON.parse(muster('ls', '-o', 'json').stdout) as { agent: { id: string; alive: boolean } }[]).map(
      ({ agent }) => [agent.id, agent.alive],
    ),
  });

  inSoak('says beforehand what it would do, and changes nothing', () => {
    const { status, stdout, stderr } = upgrade(files.next, '--check', '-o', 'json');
    expect(status, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({
      from: '0.0.9',
      to: '0.2.0',
      newer: true,
      running: true,
      changesTables: true,
    });
    expect(version()).to.equal('0.0.9');
    expect(existsSync(join(home(), 'upgrades/last.json'))).to.equal(false);
  });

  inSoak('returns to the previous version, with its database, if the new one does not get ready', async () => {
    const before = kept();
    const { status, stderr } = upgrade(files.broken);
    expect(stderr).to.match(/muster 0\.3\.0 did not get ready, so muster 0\.0\.9 is back/);
    expect(status).to.equal(6);
    expect(version()).to.equal('0.0.9');
    await moment('the agent is back', () => muster('ls').status === 0 && kept().agents[0]?.[1] === true);
    expect(kept()).to.deep.equal(before);
  });

  it('puts the new version in place, and finds every window, mail and row', () => {
    const before = kept();
    const { status, stdout, stderr } = upgrade(files.next);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.include('muster 0.2.0 runs');
    expect(version()).to.equal('0.2.0');
    expect(kept()).to.deep.equal(before);
    const hosts = JSON.parse(muster('hosts', '-o', 'json').stdout) as { musterVersion: string }[];
    expect(hosts.map(({ musterVersion }) => musterVersion)).to.deep.equal(['0.2.0']);
    expect(existsSync(join(installed.root, '../.muster-previous/bin/muster'))).to.equal(true);
  });

  inSoak('upgrades what an upgrade has started, and ends with it', async () => {
    const before = kept();
    const { status, stderr } = upgrade(files.later);
    expect(status, stderr).to.equal(0);
    expect(version()).to.equal('0.2.1');
    expect(kept()).to.deep.equal(before);
    const asked = performance.now();
    await service.stop();
    expect(performance.now() - asked).to.be.below(10_000);
    service = await start();
  });

  it('refuses a downgrade, and says what to do', () => {
    const { status, stderr } = upgrade(files.previous);
    expect(status).to.equal(6);
    expect(stderr).to.include('0.0.9 is older than muster 0.2.').and.include('muster restore FILE');
    expect(version()).to.match(/^0\.2\./);
    expect(readFileSync(join(home(), 'upgrades/last.json'), 'utf8')).to.include('"upgraded"');
  });
});
