import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { musterProgram } from '#service/state-folder.ts';
import { ownInstallKind } from '#service/upgrade/install-kind.ts';
import { runProgram } from '#test/cli/command-line.ts';
import { startService } from '#test/cli/whole-service.ts';
import { inSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type ServiceManagerStand, standForSystemd } from './service-manager-stand.ts';

const running = 'ActiveState=active\nSubState=running\nMainPID=4711';

describe('muster service', () => {
  let place: TemporaryFolder;
  let well: ServiceManagerStand;
  before(function () {
    if (process.platform !== 'linux') this.skip();
    place = temporaryFolder('service');
    well = standForSystemd(place.path, '', { systemctl: running, journalctl: 'a line of its output' });
  });
  after(() => place?.remove());

  const unit = () => join(place.path, 'config/systemd/user/muster-state.service');
  const run = (words: string, { path }: Pick<ServiceManagerStand, 'path'> = well, more = {}) =>
    runProgram(['service', ...words.split(' ')], {
      env: {
        PATH: path,
        HOME: place.path,
        MUSTER_HOME: join(place.path, 'state'),
        XDG_CONFIG_HOME: join(place.path, 'config'),
        ...more,
      },
    });

  it('says what is not installed', async () => {
    const { code, out } = await run('status');
    expect([code, out]).to.deep.equal([1, 'muster-state is not installed: `muster service install` does that.\n']);
    for (const words of ['logs', 'uninstall']) {
      const refused = await run(words);
      expect(refused.code, words).to.equal(6);
      expect(refused.err).to.include(`there is no ${unit()}`);
    }
    expect((await run('nonsense')).code).to.equal(2);
    expect((await run('logs --lines all')).code).to.equal(2);
  });

  it('installs, shows, changes and removes the service of its state folder', async () => {
    const installed = await run('install');
    expect(installed.code, installed.err).to.equal(0);
    expect(installed.out).to.include('sudo loginctl enable-linger').and.include('leaves the windows of agents open');
    const text = readFileSync(unit(), 'utf8');
    for (const line of [`ExecStart="${musterProgram}" "start"`, 'KillMode=process', 'StartLimitBurst=10'])
      expect(text.split('\n')).to.include(line);
    expect(well.calls()).to.include('systemctl --user enable --now muster-state.service');

    expect((await run('status')).out).to.include(`muster-state: active (running), process 4711 (${unit()})`);
    expect(JSON.parse((await run('status -o json')).out)).to.include({ running: true, pid: 4711, file: unit() });
    expect((await run('logs --lines 5')).out).to.equal('a line of its output\n');
    const none = standForSystemd(place.path, '--user');
    for (const [words, cannot] of [
      ['status', 'say whether its service muster-state runs, which is installed'],
      ['logs', 'show the log of its service muster-state'],
      ['uninstall', 'uninstall its service muster-state'],
    ] as const)
      expect((await run(words, none)).err, words).to.include(`muster cannot ${cannot}`);
    expect(well.calls().at(-1)).to.equal('journalctl --user --unit=muster-state.service --no-pager --lines=5');

    const changed = await run('install', well, { MUSTER_LOG: 'warn' });
    expect(changed.code, changed.err).to.equal(0);
    expect(readFileSync(unit(), 'utf8')).to.include('Environment="MUSTER_LOG=warn"');
    expect(well.calls()).to.include('systemctl --user restart muster-state.service');

    const kept = await run('uninstall', standForSystemd(place.path, 'disable'));
    expect(kept.code).to.equal(6);
    expect(kept.err).to.include('disable is refused');
    expect(existsSync(unit())).to.equal(true);

    const removed = await run('uninstall');
    expect(removed.code, removed.err).to.equal(0);
    expect(existsSync(unit())).to.equal(false);
    expect(well.calls().slice(-2)).to.deep.equal([
      'systemctl --user disable --now muster-state.service',
      'systemctl --user daemon-reload',
    ]);
  });

  it('leaves a service of another state folder alone, and keeps what it had if the manager refuses a change', async () => {
    await run('install');
    const before = readFileSync(unit(), 'utf8');
    const refused = await run('install', standForSystemd(place.path, 'restart'), { MUSTER_LOG: 'debug' });
    expect(refused.err).to.include('restart is refused');
    expect(readFileSync(unit(), 'utf8')).to.equal(before);
    const other = before.replaceAll(join(place.path, 'state'), '/elsewhere/state');
    writeFileSync(unit(), other);
    for (const words of ['install', 'uninstall', 'logs']) expect((await run(words)).code, words).to.equal(6);
    expect((await run('status')).out).to.include('is not installed');
    expect(readFileSync(unit(), 'utf8')).to.equal(other);
    rmSync(unit());
  });

  it('reads only the state folder, but to install, and refuses one that depends on where it is called', async () => {
    const wrong = { MUSTER_PORT: 'x' };
    expect((await run('status', well, wrong)).out).to.include('muster-state is not installed');
    expect((await run('install', well, wrong)).err).to.include('MUSTER_PORT');
    for (const relative of [{ MUSTER_HOME: 'state' }, { MUSTER_HOME: undefined, XDG_STATE_HOME: 'state' }]) {
      const { code, err } = await run('status', well, relative);
      expect([code, err.includes('must be an absolute path')], err).to.deep.equal([2, true]);
    }
    const inHome = await run('status', well, { MUSTER_HOME: '~/state/' });
    expect(inHome.out).to.include('muster-state is not installed');
  });

  inSoak('does not start beside a muster that runs in a terminal', async () => {
    const service = await startService(join(place.path, 'state'));
    try {
      const { code, err } = await run('install');
      expect(code).to.equal(6);
      expect(err).to.include('already runs').and.include(String(service.pid));
      expect(existsSync(unit())).to.equal(false);
    } finally {
      await service.stop();
    }
  });

  it('knows how its own copy was installed', () => {
    expect(ownInstallKind(join(musterProgram, '../..'))).to.deep.equal({ kind: 'clone' });
    const folder = '/home/you/.npm/_npx/0a1b/node_modules/@muster-fleet/muster/';
    expect(ownInstallKind(folder)).to.deep.equal({ kind: 'npx' });
    const global = '/opt/node/lib/node_modules/@muster-fleet/muster';
    expect(ownInstallKind(global)).to.deep.equal({ kind: 'global', prefix: '/opt/node' });
    for (const other of ['/srv/app/node_modules/@muster-fleet/muster', '/opt/muster'])
      expect(ownInstallKind(other), other).to.deep.equal({ kind: 'other' });
  });
});
