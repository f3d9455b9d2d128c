import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { shellLine } from '#cli/client/run-in-terminal.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { makeSocketFolder, socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { type Outcome, program, runInside } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleet, fleetService } from '../fleet.ts';

const run = promisify(execFile);
const path = 'agent.v1.AgentService/AttachAgent';

describe('muster attach', () => {
  let service: FakeService;
  let folder: TemporaryFolder;
  /** The state folder of the person, and the tmux server of all its agents. */
  const home = () => join(folder.path, 'home');
  const agents = () => socketOf(socketFolder(join(home(), 'run')), 'agt_all');
  const env = () => ({
    SERVICE_BASE_URL: service.url,
    SERVICE_TOKEN: 't',
    MUSTER_HOME: home(),
    PATH: process.env['PATH'] ?? '',
  });
  const attach = (...argv: string[]): Promise<Outcome> => runInside(['attach', ...argv], { env: env() });
  beforeEach(async () => {
    folder = temporaryFolder('attach');
    service = await fleetService();
    await makeSocketFolder(join(home(), 'run'));
    service.on(path, () => ({ family: 'agt_all', windowId: '@0', hostName: hostname() }));
  });
  afterEach(async () => {
    for (const socket of [agents(), 'person.sock']) await tmux(socket, 'kill-server').catch(() => {});
    await service.close();
    rmSync(dirname(agents()), { recursive: true, force: true });
    folder.remove();
  });
  const tmux = async (socket: string, ...argv: string[]): Promise<string> =>
    (await run('tmux', ['-S', resolve(folder.path, socket), '-f', '/dev/null', ...argv])).stdout;

  it('prints the command as a shell reads it, or as JSON', async () => {
    await tmux(agents(), 'new-session', '-d', '-s', 'muster', 'exec cat');
    const { out } = await attach('lead', '--print', '--read-only');
    expect(out)
      .to.include(`-N -S ${agents()} new-session -f read-only -t muster ';' `)
      .and.to.match(/select-window -t :@0\n$/);
    expect(service.requestsOf(path)).to.deep.equal([{ agentId: 'agt_lead' }]);
    const told = JSON.parse((await attach('lead', '-o', 'json')).out);
    expect(told).to.deep.include({ hostName: hostname() });
    expect(told.command).to.include(agents()).and.not.to.include('read-only');
  });

  it('refuses without a terminal, with the remedy, also for an agent on another host', async () => {
    await tmux(agents(), 'new-session', '-d', '-s', 'muster', 'exec cat');
    const { err, code } = await attach('lead');
    expect(err).to.include('attach needs a terminal: `muster attach agt_lead --print` prints');
    expect(code).to.equal(6);
    expect((await attach()).err).to.match(/the live agents are lead, reader, /);
    expect((await attach('--print')).err).to.match(/^--print takes one agent: name one of the live ones: lead, reader/);
    service.on(path, () => ({ family: 'agt_all', windowId: '@0', hostName: 'elsewhere' }));
    expect((await attach('lead')).err).to.match(/^attach needs a terminal: `muster read agt_lead` prints its screen/);
    expect((await attach('lead', '--print')).out).to.match(/muster\.mjs attach agt_lead --remote\n$/);
    service.on('agent.v1.AgentService/ListAgents', () => ({}));
    expect((await attach()).code).to.equal(4);
  });

  describe('in a terminal', () => {
    /** The agents' own windows, and which one each is in, as a host reports it. */
    const openAgents = async (): Promise<void> => {
      const live = fleet.filter(({ agent }) => agent?.alive).map(({ agent }) => agent?.id ?? '');
      for (const [index, id] of live.entries()) {
        const start = index === 0 ? ['new-session', '-d', '-s', 'muster'] : ['new-window', '-d', '-t', 'muster:'];
        await tmux(agents(), ...start, '-n', `window-${index}`, `echo this is ${id}; exec cat`);
      }
      service.on(path, ({ agentId }) => ({ family: 'agt_all', windowId: `@${live.indexOf(agentId)}` }));
    };
    const startMuster = async (...argv: string[]): Promise<void> => {
      const variables = Object.entries({ ...env(), TMPDIR: folder.path }).map(([name, value]) => `${name}=${value}`);
      const line = shellLine(['env', ...variables, process.execPath, program, ...argv]);
      await tmux('person.sock', 'new-session', '-d', '-x', '100', '-y', '20', `${line}; echo ended with $?; exec cat`);
    };
    const sees = (text: string): Promise<unknown> =>
      moment(text, async () => (await tmux('person.sock', 'capture-pane', '-p')).includes(text));
    const press = (...keys: string[]): Promise<string> => tmux('person.sock', 'send-keys', ...keys);

    it('opens the agent’s window until the person detaches', async () => {
      await openAgents();
      await startMuster('attach', 'reader');
      await sees('this is agt_reader');
      await press('typed', 'Enter');
      await sees('typed');
      await press('C-b', 'd');
      await sees('ended with 0');
      expect(await tmux(agents(), 'list-sessions')).to.match(/^muster:.*\n$/);
    });

    it('opens the window of a new agent once it exists', async () => {
      await openAgents();
      service.on('workflow.v1.WorkflowService/CreateWorkflow', () => ({ workflow: { id: 'wfl_here', name: 'here' } }));
      service.on('agent.v1.AgentService/CreateAgent', () => ({ agent: { id: 'agt_lead', name: 'lead' } }));
      service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
        yield { agents: fleet.map((row) => ({ ...row, agent: { ...row.agent, alive: false } })), cursor: '1' };
        yield { agents: [...fleet], cursor: '2' };
      });
      await startMuster('new', 'x', '--attach');
      await sees('this is agt_lead');
      await press('C-b', 'd');
      await sees('ended with 0');
    });

    it('runs nothing from an agent’s name', async () => {
      await openAgents();
      const name = `#(touch ${join(folder.path, 'planted')})`;
      const agent = { id: 'agt_lead', name, alive: true, state: 'AGENT_STATE_IDLE' as const };
      service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [{ agent }] }));
      await startMuster('attach');
      await sees('0:#(touch');
      await press('C-b', 'd');
      await sees('ended with 0');
      expect(readdirSync(folder.path)).not.to.include('planted');
    });

    it('opens the window of an agent whose name ends like a tmux command', async () => {
      await openAgents();
      const names = ['ends;', 'kill-server;', 'back\\;', ';'];
      const ids = fleet.filter(({ agent }) => agent?.alive).map(({ agent }) => agent?.id ?? '');
      const agents = names.map((name, index) => ({ id: ids[index] ?? '', name, alive: true }));
      service.on('agent.v1.AgentService/ListAgents', () => ({ agents: agents.map((agent) => ({ agent })) }));
      await startMuster('attach');
      await sees('0:;* 1:back\\;  2:ends;  3:kill-server;');
      await press('C-b', 'd');
      await sees('ended with 0');
    });

    it('runs no program from the current folder, and uses no socket that others can write', async () => {
      await openAgents();
      const here = join(folder.path, 'here');
      mkdirSync(here);
      for (const name of ['tmux', 'env']) {
        writeFileSync(join(here, name), `#!/bin/sh\ntouch ${join(folder.path, 'planted')}\n`, { mode: 0o755 });
      }
      const variables = Object.entries({ ...env(), PATH: `.::${env().PATH}`, TMPDIR: folder.path });
      const words = variables.map(([name, value]) => `${name}=${value}`);
      const line = shellLine(['/usr/bin/env', ...words, process.execPath, program, 'attach']);
      await tmux('person.sock', 'new-session', '-d', '-x', '100', '-y', '20', '-c', here, `${line}; exec cat`);
      await sees('this is agt_lead');
      const sockets = readdirSync(dirname(agents())).filter((name) => name.startsWith('viewer-'));
      expect(sockets).to.have.length(1);
      expect(readdirSync(folder.path)).not.to.include('planted');
      await press('C-b', 'd');
      await moment(
        'the viewer to close',
        () => !readdirSync(dirname(agents())).some((name) => name.startsWith('viewer-')),
      );
    });

    it('opens all live agents in windows without a name, and leaves nothing behind', async () => {
      await openAgents();
      await startMuster('attach');
      await sees('this is agt_lead');
      await sees('0:lead*');
      await sees('3:evil\\u001b[31m');
      await press('C-b', 'n');
      await sees('this is agt_reader');
      await press('C-b', 'd');
      await sees('ended with 0');
      expect(readdirSync(dirname(agents())).filter((name) => name.startsWith('viewer-'))).to.deep.equal([]);
      await moment('the views to close', async () => /^muster:.*\n$/.test(await tmux(agents(), 'list-sessions')));
    });
  });
});
