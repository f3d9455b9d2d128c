import { expect } from 'chai';
import { clientOf } from '#cli/client/client.ts';
import { RuledQuestions } from '#cli/commands/agent/ruled-questions.ts';
import type { Fact } from '#contract/fact/fact.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { runInside } from '../command-line.ts';
import { type FakeService, fakeService } from '../fake-service.ts';

const getAgent = 'agent.v1.AgentService/GetAgent';
const asked = (agent: string): Fact => ({
  kind: 'agent.waits',
  subjectId: `agt_${agent}`,
  at: '2026-11-29T09:00:00.000Z',
  detail: JSON.stringify({ waitingFor: 'Do you want to proceed?' }),
});

describe('questions that rules may answer', () => {
  let service: FakeService;
  let state: 'AGENT_STATE_WAITING' | 'AGENT_STATE_IDLE';
  let isEnabled: boolean;
  beforeEach(async () => {
    [state, isEnabled] = ['AGENT_STATE_WAITING', true];
    service = await fakeService();
    service.on(getAgent, ({ agentId = '' }) => {
      const name = agentId.replace('agt_', '');
      const launched = name === 'child' ? { spawnedByAgentId: 'agt_ruled' } : {};
      const workflowId = name === 'ruled' ? 'wfl_ruled' : 'wfl_plain';
      const waitingFor = 'Do you want to delete it?';
      return { agent: { agent: { id: agentId, name, state, alive: true, workflowId, waitingFor, ...launched } } };
    });
    service.on('approval.v1.ApprovalService/GetApprovals', ({ workflowId }) => ({
      rules: workflowId === 'wfl_ruled' ? [{ action: 'APPROVAL_ACTION_ANSWER' } as const] : [],
      enabled: isEnabled,
    }));
  });
  afterEach(() => service.close());

  const looks = () => service.requestsOf(getAgent).length;
  function questions() {
    const [reported, details]: [string[], string[]] = [[], []];
    const kept = new RuledQuestions({
      client: clientOf({ baseUrl: service.url, token: 't' }),
      ruleMs: 20,
      report: ({ subjectId = '', detail = '' }) => {
        reported.push(subjectId);
        details.push(detail);
      },
    });
    return { kept, reported, details };
  }

  it('are printed by muster watch after those that no rule may answer', async () => {
    const stop = new AbortController();
    service.onWatch('fact.v1.FactService/WatchFacts', async function* () {
      yield { facts: [asked('ruled'), asked('child'), asked('plain')], cursor: '1' };
      await new Promise(() => {});
    });
    const { out } = await runInside(['watch'], {
      env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' },
      tty: true,
      signal: stop.signal,
      onOut: () => stop.abort(),
    });
    expect(out).to.match(/^\S+ {2}plain waits for you: Do you want to proceed\?\n$/);
  });

  it('are reported if no rule has answered them, also those of an agent that a ruled one launched', async () => {
    const { kept, reported } = questions();
    for (const agent of ['ruled', 'child']) expect(await kept.keep(asked(agent)), agent).to.equal(true);
    await moment('both', () => reported.length === 2);
    expect(reported).to.have.members(['agt_ruled', 'agt_child']);
  });

  it('are not reported once a rule has answered and the agent works on', async () => {
    const { kept, reported } = questions();
    await kept.keep(asked('ruled'));
    state = 'AGENT_STATE_IDLE';
    kept.answered('agt_ruled');
    const before = looks();
    await moment('a look at the agent', () => looks() > before);
    state = 'AGENT_STATE_WAITING';
    await kept.keep(asked('child'));
    await moment('the question of another agent', () => reported.includes('agt_child'));
    expect(reported).to.deep.equal(['agt_child']);
  });

  it('are reported if the agent asks something else after an answer, or the service is gone', async () => {
    const { kept, reported, details } = questions();
    await kept.keep(asked('ruled'));
    kept.answered('agt_ruled');
    await moment('the other question', () => reported.length === 1);
    expect(details[0]).to.include('Do you want to delete it?').and.not.to.include('Do you want to proceed?');
    await kept.keep(asked('ruled'));
    service.on(getAgent, () => {
      throw refusalWith('unavailable', 'the gateway stops');
    });
    await moment('the question', () => reported.length === 2);
    expect(details[1]).to.include('Do you want to proceed?');
  });

  it('are reported at once while rules are out of force', async () => {
    isEnabled = false;
    expect(await questions().kept.keep(asked('ruled'))).to.equal(false);
  });
});
