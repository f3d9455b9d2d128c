import { expect } from 'chai';
import type { Fact } from '#contract/fact/fact.ts';
import { refusalWith } from '#test/support/failure.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

describe('commands for the fleet', () => {
  let service: FakeService;
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' }, ...setting });
  beforeEach(async () => {
    service = await fleetService();
  });
  afterEach(() => service.close());

  describe('muster workflow', () => {
    beforeEach(() => {
      service.on('workflow.v1.WorkflowService/CreateWorkflow', ({ name, cwd }) => ({
        workflow: { id: 'wfl_2', name, cwd },
      }));
      service.on('workflow.v1.WorkflowService/UpdateWorkflow', ({ workflowId }) => ({
        workflow: { id: workflowId, name: 'n' },
      }));
      service.on('workflow.v1.WorkflowService/DeleteWorkflow', () => ({}));
    });

    it('lists and shows', async () => {
      const { out } = await muster(['workflow', 'ls'], { tty: true });
      expect(out).to.equal('NAME     HARNESS  DIRECTORY  ID\ndefault  claude   /src/app   wfl_1\n');
      const page = (await muster(['workflow', 'show', 'default'], { tty: true })).out;
      expect(page)
        .to.match(/^directory +\/src\/app$/m)
        .and.match(/^worktree +if the directory is in a git repository$/m);
      expect(JSON.parse((await muster(['workflow', 'ls'])).out)).to.have.length(1);
      expect((await muster(['workflow', 'show', 'nope'])).code).to.equal(4);
    });

    it('creates one in this directory, or in the named one', async () => {
      await muster(['workflow', 'create', 'w'], { cwd: '/src/lib' });
      const flags = [
        '--cwd',
        '../x',
        '--no-worktree',
        '--setup',
        'npm ci',
        '--scripts.on-idle',
        'bell',
        '--copy-files',
        '.env',
      ];
      const { out } = await muster(['workflow', 'create', 'v', ...flags], { cwd: '/src/lib', tty: true });
      expect(out).to.equal('created v  wfl_2\n');
      expect(service.requestsOf('workflow.v1.WorkflowService/CreateWorkflow')).to.deep.equal([
        { name: 'w', cwd: '/src/lib' },
        {
          name: 'v',
          cwd: '/src/x',
          provisionEnabled: false,
          scripts: { setup: 'npm ci', onIdle: 'bell' },
          copyFiles: ['.env'],
        },
      ]);
    });

    it('changes the named fields, and deletes', async () => {
      expect((await muster(['workflow', 'edit', 'default'])).err).to.match(/^nothing to change/);
      await muster(['workflow', 'edit', 'default', '--name', 'n', '--clear', 'scripts', '--clear', 'host']);
      expect(service.requestsOf('workflow.v1.WorkflowService/UpdateWorkflow')).to.deep.equal([
        { workflowId: 'wfl_1', name: 'n', clear: ['scripts', 'host'] },
      ]);
      await muster(['workflow', 'edit', 'default', '--flags', '', '--setup', '']);
      expect(service.requestsOf('workflow.v1.WorkflowService/UpdateWorkflow').at(-1)).to.deep.equal({
        workflowId: 'wfl_1',
        flags: '',
        scripts: { setup: '', teardown: 'rm x' },
        clear: ['flags', 'scripts'],
      });
      expect((await muster(['workflow', 'edit', 'default', '--cwd', ''])).err).to.match(/^--cwd is empty/);
      expect((await muster(['workflow', 'edit', 'default', '--setup', 'npm ci'])).err).to.match(
        /launched from now on.*retry NAME --with-current-workflow/,
      );
      expect((await muster(['workflow', 'edit', 'default', '--name', 'n'])).err).to.equal('');
      expect(await muster(['workflow', 'delete', 'default', '-o', 'table'])).to.deep.equal({
        code: 0,
        out: 'deleted default  wfl_1\n',
        err: '',
      });
      expect(service.requestsOf('workflow.v1.WorkflowService/DeleteWorkflow')).to.deep.equal([{ workflowId: 'wfl_1' }]);
    });
  });

  it('muster hosts lists hosts', async () => {
    const seenAt = '2026-11-21T08:59:56.000Z';
    const host = {
      id: 'hst_1',
      name: 'box',
      state: 'HOST_STATE_ONLINE',
      seenAt,
      stateSince: seenAt,
      agents: 3,
      agentsAtWork: 2,
      maxAgents: 8,
      musterVersion: '0.1.0',
      protocol: 1,
      clockOffsetMs: '-3600400',
      draining: true,
      harnesses: ['claude'],
      labels: ['gpu=yes'],
    } as const;
    service.on('host.v1.HostService/ListHosts', () => ({
      hosts: [{ ...host, harnesses: [...host.harnesses], labels: [...host.labels] }],
    }));
    const { out } = await muster(['hosts'], { tty: true });
    expect(out.split('\n')[1]?.replace(/ {2,}/g, ' | ')).to.equal(
      'box | online, cordoned | 4s | 3 of 8 | 2 | 0.1.0 | 1 | -3600 s | gpu=yes | claude | hst_1',
    );
    expect(JSON.parse((await muster(['hosts'])).out)).to.deep.equal([host]);
  });

  it('muster hosts forgets a lost host, or prints why not', async () => {
    const path = 'host.v1.HostService/ForgetHost';
    service.on(path, ({ hostId }) => ({ host: { id: hostId, name: 'box' } }));
    const { code, out } = await muster(['hosts', '--forget', 'hst_1'], { tty: true });
    expect({ code, out }).to.deep.equal({ code: 0, out: 'box is forgotten\n' });
    expect(service.requestsOf(path)).to.deep.equal([{ hostId: 'hst_1' }]);
    expect(JSON.parse((await muster(['hosts', '--forget', 'hst_1'])).out)).to.deep.equal({ id: 'hst_1', name: 'box' });
    service.on(path, () => {
      throw refusalWith('failed_precondition', 'Host box (hst_1) is not forgotten: 1 agent stands on it');
    });
    const refused = await muster(['hosts', '--forget', 'hst_1'], { tty: true });
    expect(refused).to.include({ code: 6, out: '' });
    expect(refused.err).to.contain('1 agent stands on it');
    expect((await muster(['hosts', '--forget', 'hst_1', '--forget-key', 'hst_1'])).code).to.equal(2);
  });

  it('muster hosts warns below the table about agents that do not reach muster, with the remedy', async () => {
    const box = { id: 'hst_1', name: 'box', gatewayUrl: 'http://127.0.0.1:7433', harnesses: [] };
    const gatewayFault = 'nothing listens there (connection refused)';
    const online = { ...box, state: 'HOST_STATE_ONLINE', gatewayFault } as const;
    const lost = { ...box, id: 'hst_2', name: 'mac', state: 'HOST_STATE_LOST', gatewayFault } as const;
    const well = { ...box, id: 'hst_3', name: 'nas', state: 'HOST_STATE_ONLINE' } as const;
    service.on('host.v1.HostService/ListHosts', () => ({
      hosts: [online, lost, well].map((one) => ({ ...one, harnesses: [] })),
    }));
    const { out } = await muster(['hosts'], { tty: true });
    const notes = out.trim().split('\n').slice(4);
    expect(notes).to.have.length(1);
    expect(notes[0])
      .to.include('box: agents there cannot reach muster at http://127.0.0.1:7433: nothing listens there')
      .and.to.include('Set MUSTER_URL there');
  });

  it('muster hosts shows each host’s load, as far as its system reports it', async () => {
    const load = {
      measuredAt: '2026-11-21T08:59:56.000Z',
      loadAverage1m: 1.26,
      cpuCount: 2,
      memoryUsedBytes: '6442450944',
      memoryTotalBytes: '16700000000',
      diskFreeBytes: '52000000000',
      diskTotalBytes: '536870912000',
    };
    const box = {
      id: 'hst_1',
      name: 'box',
      state: 'HOST_STATE_ONLINE',
      agents: 3,
      harnesses: ['claude'],
      load,
    } as const;
    const mac = { cpuCount: 8, memoryTotalBytes: '17179869184', diskTotalBytes: '107374182400' };
    const away = { id: 'hst_2', name: 'mac', state: 'HOST_STATE_LOST', load: mac } as const;
    const lost = { ...box, ...away, agents: 2, agentsAtWork: 1 };
    const hosts = [box, lost].map((host) => ({ ...host, harnesses: [...host.harnesses] }));
    service.on('host.v1.HostService/ListHosts', () => ({ hosts }));
    const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't' };
    const { out } = await muster(['hosts'], { tty: true, env });
    const red = (text: string) => `\u001B[31m${text}\u001B[39m`;
    const dim = (text: string) => `\u001B[2m${text}\u001B[22m`;
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).to.deep.equal([
      'NAME | STATE | FOR | AGENTS | AT WORK | LOAD/CPU | MEMORY | DISK FREE | VERSION | PROTOCOL | CLOCK | LABELS | HARNESSES | ID',
      `box | \u001B[32monline\u001B[39m | 3 | 0 | 0.63 | 39% of 15.6 GiB | ${red('48.4 GiB')} | claude | hst_1`,
      `mac | ${red('lost')} | 2 | 1 (last known) | ${dim('0.00')} | ${dim('0 bytes')} | claude | hst_2`,
      '',
    ]);
    expect(JSON.parse((await muster(['hosts'])).out)).to.deep.equal(hosts);
  });

  it('muster watch distinguishes a budget that is nearly used up from one that holds its agents', async () => {
    const stop = new AbortController();
    const spent = { subjectId: 'wfl_1', at: '2026-11-29T09:00:00.000Z', detail: '{}' };
    service.onWatch('fact.v1.FactService/WatchFacts', async function* () {
      yield { facts: ['budget.near', 'budget.spent'].map((kind) => ({ kind, ...spent })), cursor: '1' };
      await new Promise(() => {});
    });
    const onOut = (out: string) => out.split('\n').length > 2 && stop.abort();
    const { out } = await muster(['watch'], { tty: true, signal: stop.signal, onOut });
    expect(out).to.match(/wfl_1 has used four fifths of its budget\n.*wfl_1 has used up its budget, and is held/);
  });

  it('muster graph prints the drawing, or the transitions as a table', async () => {
    const transitions = [{ from: 'idle', event: 'prompted', to: 'thinking', effects: ['ring', 'log'] }];
    service.on('fact.v1.FactService/GetMachine', ({ name }) => ({
      name,
      mermaid: 'stateDiagram-v2\n  idle --> thinking',
      transitions,
    }));
    expect((await muster(['graph', 'agent'])).out).to.equal('stateDiagram-v2\n  idle --> thinking\n');
    const { out } = await muster(['graph', 'agent', '--table']);
    expect(out).to.equal('FROM  EVENT     GUARD  TO        EFFECTS\nidle  prompted         thinking  ring, log\n');
    expect(JSON.parse((await muster(['graph', 'agent', '-o', 'json'])).out)).to.deep.include({ transitions });
  });

  describe('muster facts', () => {
    const fact = (seq: number): Fact => ({
      seq: String(seq),
      kind: 'agent.changed',
      subjectId: 'agt_lead',
      at: `at-${seq}`,
    });
    const seqs = (out: string) =>
      out
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Fact).seq);
    beforeEach(() =>
      service.on('fact.v1.FactService/ListFacts', ({ cursor = '300', pageSize = 50 }) => {
        const first = Number(cursor);
        const facts = Array.from({ length: Math.min(pageSize, first) }, (_, index) => fact(first - index));
        return { facts, ...(first > pageSize && { nextPageToken: String(first - pageSize) }) };
      }),
    );

    it('prints the newest in ascending order, over as many pages as needed', async () => {
      const { out } = await muster(['facts', '-n', '250', '-o', 'jsonl']);
      expect(seqs(out)).to.deep.equal(Array.from({ length: 250 }, (_, index) => String(index + 51)));
      expect((await muster(['facts', '-n', '0'])).code).to.equal(2);
    });

    it('names subjects and changes in words for a person', async () => {
      const move = { from: 'AGENT_STATE_IDLE', to: 'AGENT_STATE_WAITING', reason: 'permission\n$ rm' };
      const phase = { from: 'settingUp.opening', to: 'settingUp.briefing.delivering' };
      const told: Fact[] = [
        { ...fact(9), kind: 'agent.state-moved', at: '2026-11-21T09:00:00.000Z', detail: JSON.stringify(move) },
        { ...fact(8), kind: 'agent.phase-moved', subjectId: 'agt_gone', detail: JSON.stringify(phase) },
        {
          ...fact(7),
          kind: 'agent.created',
          subjectId: 'agt_gone',
          detail: '{"name":"was","state":"AGENT_STATE_IDLE"}',
        },
        { ...fact(6), kind: 'host.seen', subjectId: 'hst_1' },
        { ...fact(5), kind: 'run.begun', detail: '{"script":"RUN_SCRIPT_SETUP","by":"agt_gone","output":""}' },
        { ...fact(4), kind: 'schedule.fired', subjectId: 'sch_1' },
      ];
      service.on('host.v1.HostService/ListHosts', () => ({ hosts: [{ id: 'hst_1', name: 'laptop' }] }));
      service.on('schedule.v1.ScheduleService/GetSchedule', () => ({ schedule: { id: 'sch_1', name: 'nightly' } }));
      // What an agent was made with may be pages back.
      service.on('fact.v1.FactService/ListFacts', ({ subjectId, cursor }) => {
        if (subjectId === undefined) return { facts: told };
        const own = told.filter((one) => one.subjectId === subjectId);
        return cursor === undefined ? { facts: own.slice(0, 1), nextPageToken: '2' } : { facts: own.slice(1) };
      });
      service.on('agent.v1.AgentService/GetAgent', ({ agentId }) => {
        if (agentId !== 'agt_lead') throw refusalWith('not_found', 'it is gone');
        return { agent: { agent: { id: agentId, name: 'lead' } } };
      });
      expect(
        (await muster(['facts'], { tty: true })).out.split('\n').map((line) => line.replace(/ {2,}/g, ' | ')),
      ).to.deep.equal([
        'SEQ | TIME | WHAT | WHO | DETAIL',
        '4 | at-4 | schedule.fired | nightly',
        '5 | at-5 | run.begun | lead | script setup, by was',
        '6 | at-6 | host.seen | laptop',
        '7 | at-7 | agent.created | was | name was, state IDLE',
        '8 | at-8 | agent.phase-moved | was | its window is being opened → it is being briefed',
        '9 | 2026-11-21T09:00:00.000Z | agent.state-moved | lead | IDLE → WAITING: permission',
        '',
      ]);
    });

    it('follows from there, for one agent if it is named', async () => {
      const stop = new AbortController();
      const asked: unknown[] = [];
      service.onWatch('fact.v1.FactService/WatchFacts', async function* (request) {
        asked.push(request);
        yield { facts: [fact(301)], cursor: '301' };
        if (asked.length === 1) throw refusalWith('unavailable', 'gone');
        await new Promise(() => {});
      });
      const onOut = (out: string) => out.split('\n').length > 4 && stop.abort();
      const { out } = await muster(['facts', 'lead', '-f', '-n', '2'], { signal: stop.signal, onOut });
      expect(seqs(out)).to.deep.equal(['299', '300', '301', '301']);
      expect(asked).to.deep.equal([
        { subjectId: 'agt_lead', cursor: '300' },
        { subjectId: 'agt_lead', cursor: '301' },
      ]);
    });

    it('continues from now, with a notice, if its cursor is of another log', async () => {
      const stop = new AbortController();
      const asked: unknown[] = [];
      service.onWatch('fact.v1.FactService/WatchFacts', async function* (request) {
        asked.push((request as { cursor?: string }).cursor);
        if (asked.length === 2) throw refusalWith('out_of_range', 'The cursor 301 is of a log that is gone: read anew');
        yield { facts: [fact(asked.length === 1 ? 301 : 7)], cursor: asked.length === 1 ? '301' : '7' };
        if (asked.length === 1) throw refusalWith('unavailable', 'gone');
        await new Promise(() => {});
      });
      const onOut = (out: string) => out.split('\n').length > 4 && stop.abort();
      const { out, err } = await muster(['facts', 'lead', '-f', '-n', '2'], { signal: stop.signal, onOut });
      expect(seqs(out)).to.deep.equal(['299', '300', '301', '7']);
      expect(asked).to.deep.equal(['300', '301', undefined]);
      expect(err).to.contain('the events in between are no longer stored: continuing with new ones');
    });
  });
});
