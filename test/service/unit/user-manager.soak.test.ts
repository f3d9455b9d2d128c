import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { musterProgram } from '#service/state-folder.ts';
import type { Outcome } from '#test/cli/command-line.ts';
import { freePort } from '#test/support/free-port.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { UserManager } from './user-manager.ts';

const unit = 'muster-state.service';

describe('the service under a real systemd', function () {
  this.timeout(180_000);
  let place: TemporaryFolder;
  let manager: UserManager;
  let url: string;
  before(async function () {
    const missing = UserManager.missing();
    if (missing !== undefined) {
      console.log(`  the service is not tried under systemd: ${missing}`);
      this.skip();
    }
    place = temporaryFolder('systemd');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    manager = await UserManager.start(place.path, {
      PATH: process.env['PATH'] ?? '',
      HOME: place.path,
      MUSTER_HOME: join(place.path, 'state'),
      MUSTER_PORT: String(port),
      MUSTER_ISOLATION: 'none',
      XDG_CONFIG_HOME: join(place.path, 'config'),
    });
  });
  after(async () => {
    await manager?.stop();
    place?.remove();
  });

  const muster = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await manager.run(musterProgram, ...words);
    expect(code, err).to.equal(0);
    return out;
  };
  const isReady = () =>
    moment('muster is ready', async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true, 60_000);
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
    moment(`${name} rests`, async () => (await agent(name))?.state === 'AGENT_STATE_IDLE', 60_000);
  const launch = async (name: string): Promise<void> => {
    await muster('new', 'echo done', '--harness', 'shell', '--dir', place.path, '--title', name);
    await becomesIdle(name);
  };
  /** The state and the pane of the first agent. */
  const first = async () => {
    const { state, paneId } = (await agent('first')) ?? {};
    return { state, paneId };
  };

  it('starts once installed, and its stop leaves windows open', async () => {
    expect(await muster('service', 'install')).to.include('leaves the windows of agents open');
    await isReady();
    expect(await muster('service', 'status')).to.include('active (running)');
    await launch('first');
    const before = await first();
    await systemctl('stop', unit);
    expect(await propertyOf('ActiveState')).to.equal('inactive');
    await systemctl('start', unit);
    await isReady();
    expect(await first()).to.deep.equal({ ...before, state: 'AGENT_STATE_IDLE' });
  });

  it('is started again after a kill, and after it is installed again, with the same windows', async () => {
    const before = await first();
    const killed = await propertyOf('MainPID');
    await manager.run('kill', '-9', killed);
    await moment('it is started again', async () => !['0', killed].includes(await propertyOf('MainPID')), 30_000);
    await isReady();
    await muster('service', 'install');
    await isReady();
    expect(await first()).to.deep.equal({ ...before, state: 'AGENT_STATE_IDLE' });
  });

  it('is up after a restart of the machine: agents are dormant with the reason, and can be restored', async () => {
    await manager.reboot();
    await isReady();
    expect(await muster('ls')).to.match(/first +ENDED \(was IDLE, window lost\)/);
    expect(await muster('restore', '--all')).to.include('first is running again');
    await becomesIdle('first');
  });

  it('continues by itself the agents of a workflow with --on-boot restore', async () => {
    await muster('workflow', 'edit', 'default', '--on-boot', 'restore');
    await launch('second');
    await manager.reboot();
    await isReady();
    for (const name of ['first', 'second']) await becomesIdle(name);
  });

  it('leaves windows open when it is uninstalled', async () => {
    expect(await muster('service', 'uninstall')).to.include('The windows of agents stay open');
    expect(await propertyOf('LoadState')).to.equal('not-found');
    const left = manager.commands();
    expect(left.filter((command) => /\btmux\b.*start-server/.test(command))).to.have.length(2);
    expect(left.filter((command) => /muster\.mjs/.test(command))).to.deep.equal([]);
  });
});
