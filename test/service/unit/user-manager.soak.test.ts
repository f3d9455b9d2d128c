import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { musterProgram } from '#service/state-folder.ts';
import type { Outcome } from '#test/cli/command-line.ts';
import { installGlobally, packMuster } from '#test/package/installed-package.ts';
import { brokenGateway, packAs, unpack } from '#test/package/other-releases.ts';
import { freePort } from '#test/support/free-port.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { UserManager } from './user-manager.ts';

const unit = 'muster-state.service';

describe('the service under a real systemd', function () {
  this.timeout(300_000);
  let place: TemporaryFolder;
  let manager: UserManager;
  let url: string;
  let program: string;
  before(function () {
    const missing = UserManager.missing();
    if (missing === undefined) return;
    console.log(`  the service is not tried under systemd: ${missing}`);
    this.skip();
  });
  beforeEach(async () => {
    place = temporaryFolder('systemd');
    program = musterProgram;
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const { TMPDIR = '/tmp', NODE_COMPILE_CACHE = '' } = process.env;
    manager = await UserManager.start(place.path, {
      PATH: `${join(place.path, 'prefix/bin')}:${process.env['PATH']}`,
      HOME: place.path,
      TMPDIR,
      NODE_COMPILE_CACHE,
      MUSTER_HOME: join(place.path, 'state'),
      MUSTER_PORT: String(port),
      MUSTER_ISOLATION: 'none',
      XDG_CONFIG_HOME: join(place.path, 'config'),
      npm_config_prefix: join(place.path, 'prefix'),
      npm_config_ignore_scripts: 'true',
      npm_config_prefer_offline: 'true',
      npm_config_cache: join(homedir(), '.npm'),
    });
  });
  afterEach(async () => {
    await manager.stop();
    place.remove();
  });

  const muster = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await manager.run(program, ...words);
    expect(code, err).to.equal(0);
    return out;
  };
  const isReady = () =>
    moment('muster is ready', async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true);
  const systemctl = (...words: readonly string[]): Promise<Outcome> => manager.run('systemctl', '--user', ...words);
  const propertyOf = async (property: string): Promise<string> =>
    (await systemctl('show', unit, '--property', property, '--value')).out.trim();
  /** The agent of this name, as the service lists it. */
  const agent = async (name: string): Promise<Agent | undefined> => {
    const token = readFileSync(join(place.path, 'state/operator.token'), 'utf8').trim();
    const answer = await fetch(`${url}/agent.v1.AgentService/ListAgents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{}',
    });
    const { agents = [] } = (await answer.json()) as { agents?: AgentRow[] };
    return agents.map((row) => row.agent).find((one) => one?.name === name);
  };
  const becomesIdle = (name: string) =>
    moment(`${name} rests`, async () => (await agent(name))?.state === 'AGENT_STATE_IDLE');
  const launch = async (name: string): Promise<void> => {
    await muster('new', 'echo done', '--harness', 'shell', '--dir', place.path, '--title', name);
    await becomesIdle(name);
  };
  /** The state and the pane of the first agent. */
  const first = async () => {
    const { state, paneId } = (await agent('first')) ?? {};
    return { state, paneId };
  };

  it('starts muster at its installation, after a kill and after a restart of the machine', async () => {
    expect(await muster('service', 'install')).to.include('leaves the windows of agents open');
    await isReady();
    expect(await muster('service', 'status')).to.include('active (running)');
    await launch('first');
    const before = await first();

    await systemctl('stop', unit);
    expect(await propertyOf('ActiveState')).to.equal('inactive');
    await systemctl('start', unit);
    await isReady();
    expect(await first(), 'after a stop').to.deep.equal(before);

    const killed = await propertyOf('MainPID');
    await manager.run('kill', '-9', killed);
    await moment('it is started again', async () => !['0', killed].includes(await propertyOf('MainPID')));
    await isReady();
    await muster('service', 'install');
    await isReady();
    expect(await first(), 'after a kill, and an installation over the first').to.deep.equal(before);

    await manager.reboot();
    await isReady();
    await moment('it has ended', async () => /first +ENDED \(was IDLE, window lost\)/.test(await muster('ls')));
    expect(await muster('restore', '--all')).to.include('first is running again');
    await becomesIdle('first');

    await muster('workflow', 'edit', 'default', '--on-boot', 'restore');
    await launch('second');
    await manager.reboot();
    await isReady();
    for (const name of ['first', 'second']) await becomesIdle(name);

    expect(await muster('service', 'uninstall')).to.include('The windows of agents stay open');
    expect(await propertyOf('LoadState')).to.equal('not-found');
    const left = manager.commands();
    expect(left.filter((command) => /\btmux\b.*start-server/.test(command))).to.have.length(2);
    expect(left.filter((command) => /muster\.mjs/.test(command))).to.deep.equal([]);
  });

  it('upgrades an installed package under the service, and goes back, with the same windows', async () => {
    const packed = unpack((await packMuster(place.path)).file, join(place.path, 'unpacked'));
    const [previous, next] = [packAs(packed, '0.0.9', place.path), packAs(packed, '0.2.0', place.path)];
    const broken = packAs(packed, '0.3.0', place.path, [brokenGateway]);
    ({ muster: program } = await installGlobally(previous, place.path));
    await muster('service', 'install');
    await isReady();
    await launch('first');
    const before = await first();
    expect(await muster('upgrade', '--to', next)).to.include('muster 0.2.0 runs');
    expect(await first()).to.deep.equal(before);

    const refused = await manager.run(program, 'upgrade', '--to', broken);
    expect([refused.code, refused.err]).to.deep.equal([6, refused.err]);
    expect(refused.err).to.match(/muster 0\.3\.0 did not get ready, so muster 0\.2\.0 is back/);
    await isReady();
    await systemctl('restart', unit);
    await isReady();
    expect([await propertyOf('ActiveState'), await propertyOf('NRestarts')]).to.deep.equal(['active', '0']);
    expect(JSON.parse(await muster('hosts', '-o', 'json'))[0]).to.include({ musterVersion: '0.2.0' });
    await becomesIdle('first');
    expect(await first()).to.deep.equal(before);
  });
});
