import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { launchdPlist } from '#service/unit/launchd-plist.ts';
import { ownDefinition } from '#service/unit/own-definition.ts';
import type { ServiceDefinition } from '#service/unit/service-definition.ts';
import { systemdUnit } from '#service/unit/systemd-unit.ts';
import { runProgram } from '#test/cli/command-line.ts';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { machineIn, settingsOf, startJoined } from '../join/machine.ts';
import { standForSystemd } from './service-manager-stand.ts';

const definition: ServiceDefinition = {
  name: 'muster-build-2',
  description: 'muster: host build-2 of https://central.example:7434',
  argv: ['/bin/true', 'start', '50% of $HOME "x"'],
  environment: { PATH: '/usr/bin:/opt/a b', MUSTER_HOME: '/home/you/100%', MUSTER_NOTE: 'a "quoted" \\ $HOME\nline' },
};

describe('the system service of a machine', () => {
  let place: TemporaryFolder;
  before(() => {
    place = temporaryFolder('unit');
  });
  after(() => place.remove());

  it('has a unit that systemd accepts, which stops only muster and restarts it within limits', function () {
    const text = systemdUnit(definition);
    for (const line of [
      'KillMode=process',
      'Restart=on-failure',
      'StartLimitBurst=10',
      'RestartPreventExitStatus=2 8',
      'OOMPolicy=continue',
      'Environment="MUSTER_HOME=/home/you/100%%"',
      'ExecStart="/bin/true" "start" "50%% of $$HOME \\"x\\""',
      'Environment="MUSTER_NOTE=a \\"quoted\\" \\\\ $HOME\\nline"',
    ])
      expect(text.split('\n')).to.include(line);
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) return this.skip();
    const file = join(place.path, 'muster-build-2.service');
    writeFileSync(file, text);
    const env = { ...process.env, XDG_RUNTIME_DIR: place.path };
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--user', file], { encoding: 'utf8', env });
    expect([status, stderr.split('\n').filter((line) => line.includes('muster-build-2'))]).to.deep.equal([0, []]);
  });

  it('has a property list that launchd reads unchanged', () => {
    const text = launchdPlist({ ...definition, argv: ['/bin/true', 'a <b> & c'] }, '/tmp/out.log');
    expect(text)
      .to.include('<string>a &lt;b&gt; &amp; c</string>')
      .and.include('<key>AbandonProcessGroup</key><true/>');
    expect(text.match(/<dict>/g)?.length).to.equal(text.match(/<\/dict>/g)?.length);
  });

  it('has the settings of the terminal in which the machine joined, except temporary ones', () => {
    const environment = {
      PATH: '/work/node_modules/.bin:/usr/bin',
      HOME: '/home/you',
      SSH_AUTH_SOCK: '/tmp/ssh',
      XDG_RUNTIME_DIR: '/run/user/1000',
      XDG_CONFIG_HOME: '/home/you/.config',
      LANG: 'C.UTF-8',
      SECRET: 'x',
      ACME_KEY: 'y',
      MUSTER_LOG: 'warn',
      MUSTER_HOME: 'relative',
    };
    const joined = { name: 'build 2/ä', url: 'https://central.example:7434' };
    const { name, environment: kept } = ownDefinition(
      { home: '/home/you/s', agentVariables: ['ACME_*'] },
      joined,
      environment,
    );
    expect(name).to.equal('muster-build-2-');
    expect(kept).to.include({ MUSTER_HOME: '/home/you/s', MUSTER_LOG: 'warn', LANG: 'C.UTF-8', ACME_KEY: 'y' });
    expect(Object.keys(kept)).not.to.include.members(['HOME']);
    for (const absent of ['HOME', 'SSH_AUTH_SOCK', 'XDG_RUNTIME_DIR', 'SECRET'])
      expect(kept).not.to.have.property(absent);
  });

  describe('by `muster join --service`', () => {
    let central: WholeService;
    before(async () => {
      central = await startService(join(place.path, 'central'));
    });
    after(() => central.stop());

    const invite = async (name: string) => {
      const env = { MUSTER_HOME: join(place.path, 'central'), MUSTER_URL: central.url };
      return (await runProgram(['host', 'invite', '--name', name], { env })).out.trim();
    };
    const stand = (fails = '') => standForSystemd(place.path, fails);
    const unitOf = (name: string) => join(place.path, 'config/systemd/user', `muster-${name}.service`);
    const run = (line: string, name: string, path = process.env['PATH'] ?? '') =>
      runProgram([...line.split(' ').filter((word) => word !== 'muster'), '--service'], {
        env: { ...settingsOf(machineIn(place.path, name)), PATH: path, XDG_CONFIG_HOME: join(place.path, 'config') },
      });

    it('reports a missing service manager, and keeps the line valid', async function () {
      if (process.platform !== 'linux') return this.skip();
      if (spawnSync('systemctl', ['--user', 'show-environment']).status === 0) return this.skip();
      const line = await invite('none');
      const { code, err } = await run(line, 'none');
      expect(code).to.equal(6);
      expect(err)
        .to.include('cannot install itself as a user service')
        .and.include('`muster start` runs in a terminal');
      expect(existsSync(machineIn(place.path, 'none').home)).to.equal(false);
    });

    it('writes a unit that starts it as the same host, and explains how it outlasts the login and how to stop it', async function () {
      if (process.platform !== 'linux') return this.skip();
      const well = stand();
      const { code, out, err } = await run(await invite('served'), 'served', well.path);
      expect([code, err]).to.deep.equal([0, err]);
      expect(well.calls().slice(0, -1)).to.deep.equal([
        'systemctl --user show-environment',
        'systemctl --user show-environment',
        'systemctl --user daemon-reload',
        'systemctl --user enable --now muster-served.service',
      ]);
      expect(out)
        .to.include('This machine has joined')
        .and.include('sudo loginctl enable-linger')
        .and.include('journalctl --user --unit=muster-served.service')
        .and.include('systemctl --user disable --now muster-served.service');
      const unit = readFileSync(unitOf('served'), 'utf8');
      expect(statSync(unitOf('served')).mode & 0o777).to.equal(0o600);
      const [program = '', ...args] = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.match(/(?<=")[^" ]+(?=")/g) ?? [];
      expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).to.match(/\d/);
      expect(args).to.deep.equal(['start']);
      const started = await startJoined(machineIn(place.path, 'served'));
      await started.stop();
      const again = await run('muster join', 'served', well.path);
      expect(again.code, again.err).to.equal(0);
    });

    it('removes a service that the manager refuses; the machine has joined', async function () {
      if (process.platform !== 'linux') return this.skip();
      const { code, err } = await run(await invite('refused'), 'refused', stand('enable').path);
      expect(code).to.equal(6);
      expect(err).to.include('enable is refused');
      expect(existsSync(unitOf('refused'))).to.equal(false);
      const joined = await startJoined(machineIn(place.path, 'refused'));
      const running = await run('muster join', 'refused', stand().path);
      expect(running.err, 'it runs already').to.include('already');
      await joined.stop();
    });
  });
});
