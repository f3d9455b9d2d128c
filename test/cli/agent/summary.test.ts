import { expect } from 'chai';
import type { AgentSummary } from '#contract/agent/agent-summary.ts';
import { type Outcome, runInside } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

const agents: readonly AgentSummary[] = [
  { agentId: 'agt_1', name: 'rested', state: 'AGENT_STATE_IDLE', outcome: 'AGENT_OUTCOME_FINISHED', waited: 2 },
  {
    agentId: 'agt_2',
    name: 'done',
    state: 'AGENT_STATE_IDLE',
    outcome: 'AGENT_OUTCOME_FINISHED',
    turns: 2,
    result: '312 tests pass\nall of them',
    approved: 3,
    waited: 5,
    asked: 2,
    parked: 1,
    resumed: 1,
  },
  {
    agentId: 'agt_3',
    name: 'lost',
    state: 'AGENT_STATE_IDLE',
    outcome: 'AGENT_OUTCOME_ENDED',
    ending: { kind: 'AGENT_ENDING_KIND_TERMINAL_LOST' },
    ended: 1,
    reason: 'its window is gone',
  },
  { agentId: 'agt_4', name: 'stopped', state: 'AGENT_STATE_IDLE', park: { until: '2026-11-21T12:00:00Z' }, parked: 1 },
  {
    agentId: 'agt_5',
    name: 'spent',
    state: 'AGENT_STATE_IDLE',
    outcome: 'AGENT_OUTCOME_FINISHED',
    overBudget: { ownerId: 'wfl_1', ownerName: 'web', measure: 'BUDGET_MEASURE_TURNS', limit: 20 },
    heldByBudget: 1,
  },
  {
    agentId: 'agt_6',
    name: 'asks\u001b[31m',
    state: 'AGENT_STATE_WAITING',
    outcome: 'AGENT_OUTCOME_WAITS',
    reason: 'Bash command · npm run deploy',
    waited: 1,
    asked: 1,
    failed: 1,
  },
  {
    agentId: 'agt_7',
    name: 'away',
    state: 'AGENT_STATE_THINKING',
    lastKnownAt: '2026-11-21T03:00:00.000Z',
  },
];

describe('muster summary', () => {
  let service: FakeService;
  const asked: unknown[] = [];
  const summary = (...argv: string[]): Promise<Outcome> =>
    runInside(['summary', ...argv], {
      env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' },
      tty: false,
    });
  before(async () => {
    service = await fleetService();
    service.on('agent.v1.AgentService/SummarizeAgents', (request) => {
      asked.push(request);
      if ((request['pagination'] as { cursor?: string }).cursor === 'more') return { agents: agents.slice(3) };
      const detail = { account: 'claude on build', limit: 'usage', until: Date.UTC(2026, 10, 21, 5), parked: 6 };
      const fact = { kind: 'account.limited', subjectId: 'hst_1', at: '2026-11-21T02:00:00.000Z' };
      return {
        agents: agents.slice(0, 3),
        facts: [
          { ...fact, seq: '7', detail: JSON.stringify(detail) },
          { ...fact, seq: '8', kind: 'installation.restored', detail: '{"takenAt":"2026-11-20T23:00:00.000Z"}' },
        ],
        nextPageToken: 'more',
        factsForgotten: true,
      };
    });
  });
  after(() => service.close());

  it('prints what happened to each agent, those that need a person first, and to the installation', async () => {
    const { out, err, code } = await summary('--since', '2026-11-20T22:00:00Z', '-o', 'table');
    expect(out).to.equal(
      [
        '2026-11-21T02:00Z  the account claude on build reached its usage limit until 2026-11-21T05:00:00.000Z: 6 agents parked',
        '2026-11-21T02:00Z  muster was restored from the backup of 2026-11-20T23:00:00.000Z: what was done after that is lost',
        '',
        'NAME            NOW                 SINCE THEN',
        'asks\\u001b[31m  waits               Bash command · npm run deploy · 1 failure',
        'spent           over budget         workflow web has used up its 20 turns a day',
        'lost            ended               terminal ended',
        'stopped         parked              until 2026-11-21T12:00:00Z',
        'away            works (last known)  host silent since 2026-11-21T03:00:00.000Z',
        'done            finished            result: 312 tests pass · 2 turns finished · 3 questions answered by rule · 2 questions for you · 1 time parked · 1 time continued after a limit',
        'rested          rests               2 times waited',
        '',
        'Since 2026-11-20T22:00:00.000Z: 1 waits, 1 over budget, 1 ended, 1 parked, 1 works (last known), 1 finished, 1 rests; questions: 3 answered by rule, 3 for you',
        '',
      ].join('\n'),
    );
    expect(err).to.contain('no longer kept');
    expect(code).to.equal(0);
  });

  it('takes how long ago, and refuses what is neither that nor a time', async () => {
    asked.length = 0;
    const { since } = JSON.parse((await summary('--since', '2d', '-o', 'json')).out) as { since: string };
    expect((asked[0] as { since: string }).since).to.equal(since);
    for (const since of ['10', '0', '2026', '11/21/2026', '-1h', ''])
      expect(await summary('--since', since), since).to.include({ code: 2, out: '' });
    expect((await summary('--since', 'dusk')).err).to.contain('--since is "dusk": give minutes, hours or days');
  });
});
