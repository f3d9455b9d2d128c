import { expect } from 'chai';
import type { AgentSummary } from '#contract/agent/agent-summary.ts';
import type { Fact } from '#contract/fact/fact.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Summary {
  readonly agents: readonly AgentSummary[];
  readonly nextPageToken?: string;
  readonly facts?: readonly Fact[];
  readonly factsForgotten?: boolean;
}

const hour = 3_600_000;
const reads = (state: 'IDLE' | 'THINKING' | 'WAITING', more: object = {}) =>
  ({ type: 'READING', reading: { state: `AGENT_STATE_${state}`, reason: '', ...more } }) as const;

describe('a summary of agents', () => {
  let fixture: RegistryFixture;
  /** What happened before it does not count. */
  let since: string;

  before(async () => {
    fixture = await registryFixture();
    since = new Date(fixture.clock.now()).toISOString();
  });
  after(() => fixture.close());

  const pass = async (): Promise<void> => {
    fixture.clock.pass(hour);
    await fixture.host.beat();
  };
  const launched = async (): Promise<string> => {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(id);
    return id;
  };
  const tell = async (agentId: string, ...events: AgentEvent[]): Promise<void> => {
    for (const event of events) await fixture.host.tell(agentId, event);
  };
  const summarize = (request: object = {}, as: Parameters<RegistryFixture['call']>[2] = 'person') =>
    fixture.call<Summary>('SummarizeAgents', { since, ...request }, as);
  const rowOf = async (agentId: string) => (await summarize()).agents.find((row) => row.agentId === agentId);

  it('counts what happened since its time, and not before', async () => {
    const id = await launched();
    await tell(id, reads('THINKING'), reads('IDLE'));
    await pass();
    since = new Date(fixture.clock.now()).toISOString();
    expect(await rowOf(id))
      .to.include({ outcome: 'AGENT_OUTCOME_FINISHED' })
      .and.not.have.any.keys('turns', 'result');
    await pass();
    await tell(id, reads('THINKING'), reads('IDLE'), reads('THINKING'), reads('WAITING'), reads('THINKING'));
    await fixture.call('ReportResult', { result: `found ${'😀'.repeat(250)}` }, { agentId: id });
    expect(await rowOf(id)).to.include({
      state: 'AGENT_STATE_THINKING',
      turns: 1,
      waited: 1,
      result: `found ${'😀'.repeat(194)}`,
    });
    await fixture.host.tell(id, {
      type: 'PANE_GONE',
      reason: 'killed by SIGKILL',
      briefed: true,
      at: 1,
      lost: false,
      ending: { kind: 'killed', signal: 'SIGKILL' },
    });
    expect(await rowOf(id)).to.deep.include({
      outcome: 'AGENT_OUTCOME_ENDED',
      reason: 'killed by SIGKILL',
      ended: 1,
      ending: { kind: 'AGENT_ENDING_KIND_KILLED', signal: 'SIGKILL' },
    });
  });

  it('says that a limit or a budget holds an agent, and how often one did', async () => {
    const id = await launched();
    await tell(id, reads('THINKING'));
    const until = fixture.clock.now() + hour;
    await fixture.call('ParkAgent', { agentId: id, until: new Date(until).toISOString() });
    expect((await rowOf(id))?.park).to.include({ reason: 'PARK_REASON_PERSON' });
    await fixture.call('UnparkAgent', { agentId: id });
    expect(await rowOf(id))
      .to.include({ parked: 1 })
      .and.not.have.property('park');
    await fixture.call('SetBudget', { ownerId: id, turns: 1 });
    await tell(id, reads('IDLE'), reads('THINKING'));
    expect((await rowOf(id))?.overBudget).to.include({ ownerId: id, limit: 1 });
    await fixture.call('ContinueBudget', { ownerId: id });
    await moment('the budget no longer holds it', async () => (await rowOf(id))?.overBudget === undefined);
    expect(await rowOf(id))
      .to.include({ heldByBudget: 1 })
      .and.not.have.property('overBudget');
    const { facts = [] } = await summarize();
    expect(facts.map(({ kind }) => kind)).to.include.members(['budget.spent', 'budget.continued']);
  });

  it('has agents archived since then, but none from before, page by page, each once', async () => {
    const [old, recent, present] = [await launched(), await launched(), await launched()];
    await fixture.call('ArchiveAgent', { agentId: old });
    // Else its clean-up would fail once its time is up.
    await tell(old, { type: 'PANE_CLOSED' });
    await pass();
    since = new Date(fixture.clock.now()).toISOString();
    await pass();
    await fixture.call('ArchiveAgent', { agentId: recent });
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await summarize({ pagination: { pageSize: 1, cursor } });
      seen.push(...page.agents.map(({ agentId = '' }) => agentId));
      expect(page.facts === undefined).to.equal(cursor !== '');
      cursor = page.nextPageToken ?? '';
    } while (cursor !== '');
    expect(seen).to.include.members([recent, present]).and.not.include(old);
    expect(seen.length).to.equal(new Set(seen).size);
    expect((await rowOf(recent))?.outcome).to.equal('AGENT_OUTCOME_GONE');
  });

  it('is for people and orchestrators, and its facts about the installation for people alone', async () => {
    const lead = await fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR', provisionEnabled: false });
    const other = await launched();
    const { agents, facts } = await summarize({}, { agentId: lead.id });
    expect(agents).to.have.length.above(1);
    expect(facts).to.equal(undefined);
    expect(await failureOf(() => summarize({}, { agentId: other }))).to.include({ code: 'permission_denied' });
  });

  it('has news of the installation, however many hosts came online since', async () => {
    const news = { kind: 'account.freed', subjectId: 'work', detail: {} } as const;
    const seen = { kind: 'host.seen', subjectId: 'hst_1', detail: { wasLost: false } } as const;
    const restored = {
      kind: 'installation.restored',
      subjectId: 'ins_1',
      detail: { takenAt: '2026-11-20T22:00:00.000Z' },
    } as const;
    await fixture.store.write(({ facts }) =>
      facts.append([news, restored, ...Array.from({ length: 150 }, () => seen)]),
    );
    const { facts = [] } = await summarize();
    // On a busy machine the host may be late, and then it is news that it is back.
    const isOne = ({ kind = '', detail = '' }) => kind === 'host.seen' && !detail.includes('"wasLost":true');
    expect(facts.filter(isOne)).to.deep.equal([]);
    expect(facts.map(({ kind }) => kind)).to.include.members(['account.freed', 'installation.restored']);
  });

  it('has for people which questions no rule answered, and for agents only that there were some', async () => {
    const agentId = await launched();
    const [waits, approved] = [
      { kind: 'agent.waits', subjectId: agentId, detail: {} },
      { kind: 'agent.approved', subjectId: agentId, detail: {} },
    ] as const;
    const still = { ...approved, detail: { stillAsks: true, text: '{"stillAsks":' } };
    const quotes = { ...approved, detail: { text: 'echo \'{"stillAsks":true}\'' } };
    const other = { ...approved, subjectId: 'agt_other' };
    const limited = { ...waits, detail: { reason: 'usage-limit; ask it to continue', noQuestion: true } };
    const quotesThat = { ...waits, detail: { waitingFor: '{"noQuestion":true}' } };
    // Answered, asked twice, answered without success, answered, and asked while another agent was answered.
    await fixture.store.write(({ facts }) =>
      facts.append([waits, approved, waits, waits, still, waits, quotes, waits, other]),
    );
    expect(await rowOf(agentId)).to.include({ waited: 5, approved: 3, asked: 3 });
    // Waits without a question, also between a question and its answer.
    await fixture.store.write(({ facts }) => facts.append([limited, waits, limited, approved, quotesThat, limited]));
    expect(await rowOf(agentId)).to.include({ waited: 10, approved: 4, asked: 4 });
    const lead = await fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR', provisionEnabled: false });
    const row = (await summarize({}, { agentId: lead.id })).agents.find((one) => one.agentId === agentId);
    expect(row).to.include({ waited: 10 }).and.not.have.any.keys('approved', 'asked');
  });

  it('refuses a time in the future, and a cursor of another time', async () => {
    const later = new Date(fixture.clock.now() + hour).toISOString();
    expect(await failureOf(() => summarize({ since: later }))).to.include({ reason: 'INVALID_FIELD', field: 'since' });
    const { nextPageToken: cursor } = await summarize({ pagination: { pageSize: 1 } });
    const other = { since: new Date(fixture.clock.now() - 1).toISOString(), pagination: { cursor } };
    expect(await failureOf(() => summarize(other))).to.include({ reason: 'INVALID_CURSOR' });
  });
});
