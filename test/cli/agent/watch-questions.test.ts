import { expect } from 'chai';
import { clientOf } from '#cli/client/client.ts';
import { askedNow } from '#cli/commands/agent/asked-now.ts';
import type { Fact } from '#contract/fact/fact.ts';
import { RuledQuestions } from '#contract/fact/ruled-questions.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { runInside } from '../command-line.ts';
import { type FakeService, fakeService } from '../fake-service.ts';

const getAgent = 'agent.v1.AgentService/GetAgent';
const asked = (agent: string, more: object = {}): Fact => ({
  kind: 'agent.waits',
  subjectId: `agt_${agent}`,
  at: '2026-11-29T09:00:00.000Z',
  detail: JSON.stringify({ waitingFor: 'Do you want to proceed?', ...more }),
});
const ruled = { ruleMayAnswer: true };

describe('questions that rules may answer', () => {
  let service: FakeService;
  let state: 'AGENT_STATE_WAITING' | 'AGENT_STATE_IDLE';
  beforeEach(async () => {
    state = 'AGENT_STATE_WAITING';
    service = await fakeService();
    service.on(getAgent, ({ agentId = '' }) => {
      const name = agentId.replace('agt_', '');
      const waitingFor = 'Do you want to delete it?';
      return { agent: { agent: { id: agentId, name, state, alive: true, waitingFor } } };
    });
  });
  afterEach(() => service.close());

  const looks = () => service.requestsOf(getAgent).length;
  function questions() {
    const client = clientOf({ baseUrl: service.url, token: 't' });
    const [reported, details]: [string[], string[]] = [[], []];
    const kept = new RuledQuestions<Fact>({
      ruleMs: 20,
      askedNow: (_agentId, fact) => askedNow(client, fact),
      report: ({ subjectId = '', detail = '' }) => {
        reported.push(subjectId);
        details.push(detail);
      },
    });
    const keep = (agent: string) => kept.keep(`agt_${agent}`, asked(agent, ruled));
    return { kept, keep, reported, details };
  }

  it('are printed by muster watch after those of which the fact does not say so', async () => {
    const stop = new AbortController();
    service.onWatch('fact.v1.FactService/WatchFacts', async function* () {
      yield { facts: [asked('ruled', ruled), asked('plain')], cursor: '1' };
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

  it('are reported if no rule has answered them', async () => {
    const { keep, reported } = questions();
    for (const agent of ['one', 'other']) keep(agent);
    expect(reported).to.deep.equal([]);
    await moment('both', () => reported.length === 2);
    expect(reported).to.have.members(['agt_one', 'agt_other']);
  });

  it('are not reported once a rule has answered and the agent works on', async () => {
    const { kept, keep, reported } = questions();
    keep('one');
    state = 'AGENT_STATE_IDLE';
    kept.answered('agt_one');
    const before = looks();
    await moment('a look at the agent', () => looks() > before);
    state = 'AGENT_STATE_WAITING';
    keep('other');
    await moment('the question of another agent', () => reported.includes('agt_other'));
    expect(reported).to.deep.equal(['agt_other']);
  });

  it('are reported if the agent asks something else after an answer, or the service is gone', async () => {
    const { kept, keep, reported, details } = questions();
    keep('one');
    kept.answered('agt_one');
    await moment('the other question', () => reported.length === 1);
    expect(details[0]).to.include('Do you want to delete it?').and.not.to.include('Do you want to proceed?');
    keep('one');
    service.on(getAgent, () => {
      throw refusalWith('unavailable', 'the gateway stops');
    });
    await moment('the question', () => reported.length === 2);
    expect(details[1]).to.include('Do you want to proceed?');
  });
});
