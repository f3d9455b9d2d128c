import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { agentRow, archivedRow, fleet, fleetService } from '../fleet.ts';

describe('muster ls --watch', () => {
  let service: FakeService;
  const ls = (argv: readonly string[] = [], setting: Setting = {}): Promise<Outcome> =>
    runInside(['ls', ...argv], {
      env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' },
      ...setting,
    });
  let stop: AbortController;
  beforeEach(async () => {
    stop = new AbortController();
    service = await fleetService();
  });
  afterEach(() => {
    stop.abort();
    return service.close();
  });

  const moved = agentRow({ name: 'busy', state: 'AGENT_STATE_WAITING', stateReason: 'plan' });
  const shelved = agentRow({ name: 'asleep', archivedAt: '2026-11-21T09:00:00.000Z' });

  it('prints each changed row for a program until the agent is deleted, over a restart of the service', async () => {
    const cursors: unknown[] = [];
    service.onWatch('agent.v1.AgentService/WatchAgents', async function* ({ cursor }) {
      cursors.push(cursor);
      if (cursor === undefined) {
        yield { agents: [...fleet, archivedRow], cursor: '1' };
        throw refusalWith('unavailable', 'the gateway stops');
      }
      yield { agents: [moved, shelved], goneAgentIds: ['agt_lead', 'agt_never-seen'], cursor: '2' };
      await new Promise(() => {});
    });
    const onOut = (out: string) => out.includes('goneAgentId') && stop.abort();
    const { out, err, code } = await ls(['--watch'], { signal: stop.signal, onOut });
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).to.deep.equal([...fleet, moved, shelved, { goneAgentId: 'agt_lead' }]);
    expect(cursors).to.deep.equal([undefined, '1']);
    expect(err).to.equal('the gateway stops; trying again until it is back\nmuster is back\n');
    expect(code).to.equal(0);
  });

  it('applies the filters: prints rows that begin to match, and those that stop matching', async () => {
    const wait = { ...moved.agent, stateReason: 'plan' };
    const rests = { ...moved.agent, state: 'AGENT_STATE_IDLE', stateReason: '' } as const;
    service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
      yield { agents: [...fleet], cursor: '1' };
      yield { agents: [{ agent: wait }], cursor: '2' };
      yield { agents: [{ agent: rests }], cursor: '3' };
      yield { agents: [], goneAgentIds: ['agt_busy', 'agt_asleep'], cursor: '4' };
      await new Promise(() => {});
    });
    const onOut = (out: string) => out.includes('goneAgentId') && stop.abort();
    const { out } = await ls(['-w', '--state', 'waiting'], { signal: stop.signal, onOut });
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AgentRow & { goneAgentId?: string });
    expect(lines.map(({ agent, goneAgentId }) => agent?.name ?? goneAgentId)).to.deep.equal([
      'reader',
      'busy',
      'busy',
      'agt_busy',
    ]);
  });

  it('refuses a workflow or a project that does not exist, in either form', async () => {
    for (const tty of [true, false]) {
      const none = await ls(['-w', '--workflow', 'defalt'], { tty });
      expect(none).to.deep.include({ code: 4, out: '', err: 'there is no workflow "defalt": did you mean default?\n' });
      expect(await ls(['-w', '--project', 'webb'], { tty })).to.deep.include({ code: 4, out: '' });
    }
    const known = ls(['-w', '--project', 'default'], { signal: stop.signal, onOut: () => stop.abort() });
    service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
      yield { agents: [...fleet], cursor: '1' };
    });
    expect((await known).code).to.equal(0);
  });

  it('redraws the filtered list on a terminal as it changes', async () => {
    service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
      yield { agents: [...fleet], cursor: '1' };
      await moment('the first drawing', () => shown.includes('reader'));
      yield { agents: [moved], cursor: '2' };
      await new Promise(() => {});
    });
    let shown = '';
    const onOut = (out: string) => {
      shown = out;
    };
    const running = ls(['-w', '--state', 'waiting', '--search', 'default'], {
      tty: true,
      signal: stop.signal,
      onOut,
    });
    await moment('the row that begins to match', () => shown.includes('busy'));
    stop.abort();
    await running;
    expect(shown).not.to.match(/lead|broken|asleep/);
  });

  it('draws the list in place on a terminal, limited to its height', async () => {
    const many = Array.from({ length: 20 }, (_, index) => agentRow({ name: `agent-${index}` }));
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
      yield { agents: [...many], cursor: '1' };
      await released;
      yield { agents: [moved], goneAgentIds: many.map(({ agent }) => agent?.id ?? ''), cursor: '2' };
      await new Promise(() => {});
    });
    let shown = '';
    const running = ls(['-w'], {
      tty: true,
      signal: stop.signal,
      onOut: (out) => {
        shown = out;
      },
    });
    await moment('the first drawing', () => shown.includes('… 11 more'));
    expect(shown.split('\n')).to.have.length(12);
    const first = shown.length;
    release();
    await moment('the second drawing', () => shown.length > first);
    stop.abort();
    await running;
    const second = shown.slice(first);
    expect(second.startsWith('\u001b[H\u001b[?7l\u001b[KMARK')).to.equal(true);
    expect(second)
      .to.match(/WAITING \(plan\)/)
      .and.not.match(/agent-/);
  });

  it('shows above the list that the service is down, and continues once it is back', async () => {
    let shown = '';
    const last = () => shown.slice(shown.lastIndexOf('\u001b[H')).replaceAll('\n\u001b[K', ' ');
    // As a gateway ends its watches when it is stopped: without a failure.
    service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
      yield { agents: [...fleet], cursor: '1' };
    });
    const onOut = (out: string) => {
      shown = out;
    };
    const running = ls(['-w'], { tty: true, signal: stop.signal, onOut });
    await moment('the list', () => last().includes('lead'));
    const { port } = new URL(service.url);
    await service.close();
    await moment('word of it', () => last().includes('NOT CONNECTED'));
    expect(last()).to.include(`muster is not running at http://127.0.0.1:${port}`).and.to.include('lead');
    service = await fleetService(Number(port));
    service.onWatch('agent.v1.AgentService/WatchAgents', async function* ({ cursor }) {
      yield { agents: [agentRow({ name: `since-${cursor}` })], cursor: '2' };
      await new Promise(() => {});
    });
    await moment('the list as it is now', () => last().includes('since-1'));
    expect(last()).not.to.include('NOT CONNECTED');
    stop.abort();
    expect(await running).to.deep.include({ code: 0, err: '' });
  }).timeout(60_000);

  it('redraws within the edges after a resize', async () => {
    const size = { columns: 100, rows: 12, listeners: new Set<() => void>() };
    service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
      yield { agents: [...fleet], cursor: '1' };
      await new Promise(() => {});
    });
    let shown = '';
    const onOut = (out: string) => {
      shown = out;
    };
    const running = ls(['-w'], { tty: true, size, signal: stop.signal, onOut });
    await moment('the first drawing', () => shown.includes('muster/other-work'));
    const first = shown.length;
    Object.assign(size, { columns: 60, rows: 6 });
    for (const listener of size.listeners) listener();
    const second = shown.slice(first);
    expect(second.startsWith('\u001b[2J\u001b[H\u001b[?7l\u001b[KMARK')).to.equal(true);
    expect(second.split('\n')).to.have.length(6);
    stop.abort();
    await running;
    expect(size.listeners.size).to.equal(0);
  });

  it('fails at once if the service is not running', async () => {
    await service.close();
    expect((await ls(['--watch'])).code).to.equal(9);
    service = await fleetService();
  });
});
