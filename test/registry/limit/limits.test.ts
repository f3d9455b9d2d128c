import { expect } from 'chai';
import { mayAnswer } from '#actors/registry/approval/may-answer.ts';
import type { Agent } from '#contract/agent/agent.ts';
import type { Fact } from '#contract/fact/fact.ts';
import type { AwaitedAgent } from '#contract/operations/wait.ts';
import type { Workflow } from '#contract/workflow.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const hour = 3_600_000;
const day = 24 * hour;
const thinking: AgentEvent = { type: 'READING', reading: { state: 'AGENT_STATE_THINKING', reason: '' } };
const idle: AgentEvent = { type: 'READING', reading: { state: 'AGENT_STATE_IDLE', reason: '' } };
const atLimit = (until: number | undefined, said = 'usage-limit, 3pm'): AgentEvent => ({
  type: 'READING',
  reading: {
    state: 'AGENT_STATE_IDLE',
    reason: said,
    limit: { kind: 'usage', ...(until !== undefined && { until }) },
  },
});
const refused: AgentEvent = {
  type: 'READING',
  reading: { state: 'AGENT_STATE_IDLE', reason: 'auth', limit: { kind: 'credential' } },
};
const resumed = (outcome: 'continued' | 'left' | 'failed' | 'looked', why = ''): AgentEvent => ({
  type: 'RESUMED',
  outcome,
  why,
});

describe('agents whose account is limited', function () {
  this.timeout(60_000);
  let fixture: RegistryFixture;
  let flow: Made<Workflow>;

  beforeEach(async () => {
    fixture = await registryFixture({ registries: 1 });
    flow = await fixture.workflow({ harness: 'claude', provisionEnabled: false });
  });
  afterEach(() => fixture.close());

  const launched = async (workflowId = flow.id, harness?: string): Promise<string> => {
    const { id } = await fixture.create({ workflowId, provisionEnabled: false, ...(harness && { harness }) });
    await fixture.host.bringUp(id);
    return id;
  };
  const tell = async (id: string, ...events: AgentEvent[]): Promise<void> => {
    for (const event of events) await fixture.host.tell(id, event);
  };
  const agent = async (agentId: string): Promise<Agent> =>
    (await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId })).agent.agent;
  const parkOf = async (id: string) => (await agent(id)).park;
  const facts = async (subjectId: string): Promise<string[]> =>
    (await fixture.call<{ facts: Fact[] }>('ListFacts', { subjectId })).facts
      .map(({ kind = '' }) => kind)
      .filter((kind) => /^account\.|^agent\.(?:waits|finished|parked|unparked|resumed)$/.test(kind))
      .toReversed();
  const effects = async (id: string): Promise<string[]> =>
    (await fixture.store.read(({ agents }) => agents.whole(id))).record.effects.map(({ kind }) => kind);
  const pass = async (milliseconds: number): Promise<void> => {
    fixture.clock.pass(milliseconds);
    await fixture.host.beat();
  };
  /** Time passes until something is so; the host beats meanwhile. */
  const until = (what: string, isSo: () => Promise<boolean | undefined>) =>
    moment(what, async () => {
      await pass(5_000);
      return (await isSo()) === true ? true : undefined;
    });
  const policy = (onUsageLimit: string) => fixture.call('UpdateWorkflow', { workflowId: flow.id, onUsageLimit });

  it('are all parked by one of them, with one notice, and no other account is', async () => {
    const [first, second] = [await launched(), await launched()];
    const other = await launched(flow.id, 'codex');
    await tell(first, thinking);
    await tell(second, thinking, idle);
    const end = fixture.clock.now() + hour;
    await tell(first, atLimit(end));
    const expected = {
      reason: 'PARK_REASON_USAGE_LIMIT',
      until: new Date(end).toISOString(),
      account: `claude on ${fixture.host.name}`,
      resume: false,
    };
    expect(await parkOf(first)).to.deep.include(expected);
    expect(await parkOf(second)).to.deep.include(expected);
    expect(await parkOf(other)).to.equal(undefined);
    await tell(second, thinking, atLimit(end));
    expect((await facts(fixture.host.id)).filter((kind) => kind === 'account.limited')).to.have.length(1);
    expect(await facts(first)).to.deep.equal(['agent.parked']);
    const { agents } = await fixture.call<{ agents: AwaitedAgent[] }>('WaitForAgents', { agentIds: [first] });
    expect(agents, 'a turn that a limit stopped is not finished').to.deep.equal([]);
  });

  it('are asked once to continue at its end, if their workflow wants that, and a person is asked if it does not help', async () => {
    await policy('ON_USAGE_LIMIT_RESUME');
    const id = await launched();
    const end = fixture.clock.now() + hour;
    await tell(id, thinking, atLimit(end));
    expect(await effects(id)).to.deep.equal([]);
    await pass(hour + 60_000);
    await until('it is asked to continue', async () => (await effects(id)).includes('resumeWork'));
    await tell(id, { type: 'PROMPTED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } }, resumed('continued'));
    expect(await parkOf(id)).to.equal(undefined);
    expect(await facts(id)).to.deep.equal(['agent.parked', 'agent.resumed']);
    await tell(id, atLimit(end + 60_000, 'usage-limit, 3:01pm'));
    const { park, stateReason } = await agent(id);
    expect(park).to.equal(undefined);
    expect(stateReason).to.contain('did not help');
    expect(await facts(id)).to.deep.equal(['agent.parked', 'agent.resumed', 'agent.waits']);
    await tell(id, thinking, idle, thinking, atLimit(fixture.clock.now() + 5 * hour, 'usage-limit, 8pm'));
    expect(await parkOf(id), 'a later limit is another one').to.deep.include({ resume: true });
  });

  it('wait at most eight days, whatever their screen shows', async () => {
    const id = await launched();
    const [now, far] = [fixture.clock.now(), fixture.clock.now() + 10 * 365 * day];
    await tell(id, thinking, atLimit(far));
    expect(await parkOf(id)).to.deep.include({
      until: new Date(now + 8 * day).toISOString(),
      shownUntil: new Date(far).toISOString(),
    });
    await pass(8 * day + 60_000);
    await until('it is not parked', async () => (await parkOf(id)) === undefined);
    expect((await facts(id)).at(-1)).to.equal('agent.waits');
  });

  it('are read again at growing intervals if no end is shown, without typing, until one has worked', async () => {
    await policy('ON_USAGE_LIMIT_RESUME');
    const [shows, rests] = [await launched(), await launched()];
    await tell(shows, thinking, atLimit(undefined, 'usage-limit'));
    const begun = fixture.clock.now();
    for (const id of [shows, rests])
      expect(await parkOf(id)).to.deep.include({
        endUnknown: true,
        until: new Date(begun + hour / 2).toISOString(),
      });
    await pass(hour / 2 + 60_000);
    for (const id of [shows, rests]) {
      await until('its screen is read again', async () => (await effects(id)).includes('lookAgain'));
      await tell(id, resumed('looked'));
    }
    expect(await effects(shows)).not.to.include('resumeWork');
    expect((await parkOf(shows))?.until).to.equal(new Date(begun + 1.5 * hour).toISOString());
    expect(await parkOf(rests), 'it does not show the limit').to.equal(undefined);
    await tell(rests, thinking, atLimit(undefined, 'usage-limit'));
    const again = Date.parse((await parkOf(rests))?.until ?? '') - fixture.clock.now();
    expect(again).to.be.within(0.9 * hour, hour);
    expect((await facts(fixture.host.id)).filter((kind) => kind === 'account.limited')).to.have.length(1);
    await pass(1_000);
    await tell(rests, thinking);
    await pass(1_000);
    await tell(rests, idle);
    expect((await facts(fixture.host.id)).at(-1)).to.equal('account.freed');
    await pass(10_000);
    await until('it is asked to continue', async () => (await effects(shows)).includes('resumeWork'));
  });

  it('continue after a restart of the registry', async () => {
    await policy('ON_USAGE_LIMIT_RESUME');
    const id = await launched();
    await tell(id, thinking, atLimit(fixture.clock.now() + hour));
    await pass(hour / 2);
    await fixture.restart();
    expect(await parkOf(id)).to.not.equal(undefined);
    await pass(hour / 2 + 60_000);
    await until('it is asked to continue', async () => (await effects(id)).includes('resumeWork'));
  });

  it('are answered by no rule of their workflow while they are parked', async () => {
    const id = await launched();
    await tell(id, {
      type: 'READING',
      reading: { state: 'AGENT_STATE_WAITING', reason: 'permission', asked: 'Run ls?' },
    });
    const isAnswered = async () => {
      const agent = await fixture.store.read(({ agents }) => agents.find(id));
      return agent === undefined ? undefined : mayAnswer(agent);
    };
    expect(await isAnswered()).to.equal(true);
    await fixture.call('ParkAgent', { agentId: id });
    expect(await isAnswered()).to.equal(false);
  });

  it('are left to a person at its end by default, and at once if their workflow says so', async () => {
    const id = await launched();
    await tell(id, thinking, atLimit(fixture.clock.now() + hour));
    await pass(hour + 60_000);
    await until('it is not parked', async () => (await parkOf(id)) === undefined);
    expect(await effects(id)).to.deep.equal([]);
    expect(await facts(id)).to.deep.equal(['agent.parked', 'agent.unparked', 'agent.waits']);
    await policy('ON_USAGE_LIMIT_STAY');
    await tell(id, thinking, atLimit(fixture.clock.now() + hour, 'usage-limit, 4pm'));
    expect(await parkOf(id)).to.equal(undefined);
    expect((await facts(id)).at(-1)).to.equal('agent.waits');
  });

  it('are left alone while a person holds them, and once they moved on', async () => {
    await policy('ON_USAGE_LIMIT_RESUME');
    const [held, moved] = [await launched(), await launched()];
    await tell(held, thinking, idle);
    await fixture.call('HoldAgent', { agentId: held });
    await tell(moved, thinking, atLimit(fixture.clock.now() + hour));
    expect(await parkOf(held)).to.equal(undefined);
    await tell(moved, thinking);
    await pass(hour + 60_000);
    await until('it is not parked', async () => (await parkOf(moved)) === undefined);
    expect(await effects(moved)).to.deep.equal([]);
    expect((await facts(moved)).at(-1)).to.equal('agent.unparked');
  });

  it('can be unparked and kept from continuing by people and orchestrators at any moment', async () => {
    await policy('ON_USAGE_LIMIT_RESUME');
    const [one, other] = [await launched(), await launched()];
    await tell(one, thinking, atLimit(fixture.clock.now() + hour));
    await fixture.call('ParkAgent', { agentId: one, resume: false });
    expect(await parkOf(one)).to.deep.include({ resume: false, reason: 'PARK_REASON_USAGE_LIMIT' });
    await fixture.call('UnparkAgent', { agentId: one });
    expect(await parkOf(one)).to.equal(undefined);
    expect(await parkOf(other)).to.not.equal(undefined);
    await fixture.call('UnparkAgent', { agentId: one, wholeAccount: true });
    expect(await parkOf(other)).to.equal(undefined);
    expect(await failureOf(() => fixture.call('UnparkAgent', { agentId: one }, { agentId: other }))).to.include({
      code: 'permission_denied',
    });
    const late = { agentId: one, until: new Date(fixture.clock.now() - 1).toISOString() };
    expect(await failureOf(() => fixture.call('ParkAgent', late))).to.include({ reason: 'INVALID_FIELD' });
    await fixture.call('ParkAgent', { agentId: one, until: new Date(fixture.clock.now() + hour).toISOString() });
    expect(await parkOf(one)).to.deep.include({ reason: 'PARK_REASON_PERSON', resume: false });
    await pass(hour + 1_000);
    await until('it is not parked', async () => (await parkOf(one)) === undefined);
  });

  it('of a refused credential are parked without a time, until one of them has worked', async () => {
    const [bad, rests, works] = [await launched(), await launched(), await launched()];
    await tell(works, thinking, idle);
    await pass(1_000);
    await tell(bad, thinking, refused);
    expect(await parkOf(rests)).to.deep.include({ reason: 'PARK_REASON_CREDENTIAL' });
    expect((await parkOf(rests))?.until ?? '').to.equal('');
    await pass(1_000);
    await tell(works, thinking);
    await pass(1_000);
    await tell(works, idle);
    expect(await parkOf(rests)).to.equal(undefined);
    expect((await facts(fixture.host.id)).slice(-2)).to.deep.equal(['account.limited', 'account.freed']);
    await pass(10_000);
    await until('it is not parked', async () => (await parkOf(bad)) === undefined);
    expect((await agent(bad)).stateReason).to.contain('works again');
  });

  it('have an account of their profile', async () => {
    const make = async (name: string, account: string) =>
      (await fixture.call<{ profile: { id: string } }>('CreateProfile', { name, account })).profile.id;
    const [work, alsoWork, own] = [await make('a', 'work'), await make('b', 'work'), await make('c', '')];
    const flows = [];
    for (const profileId of [work, alsoWork, own])
      flows.push((await fixture.workflow({ profileId, provisionEnabled: false })).id);
    const agents = [];
    for (const id of flows) agents.push(await launched(id));
    const plain = await launched();
    await tell(agents[0] ?? '', thinking, atLimit(fixture.clock.now() + hour));
    const parks = await Promise.all([...agents, plain].map(parkOf));
    expect(parks.map((park) => park?.account)).to.deep.equal([
      `work, claude on ${fixture.host.name}`,
      `work, claude on ${fixture.host.name}`,
      undefined,
      undefined,
    ]);
  });

  it('keep firings with that account waiting, except those of a person', async () => {
    const id = await launched();
    await tell(id, thinking, atLimit(fixture.clock.now() + hour));
    const { schedule } = await fixture.call<{ schedule: { id: string } }>('CreateSchedule', {
      name: 'often',
      prompt: 'go',
      workflowId: flow.id,
      cron: '* * * * *',
      timezone: 'UTC',
    });
    const runs = async () =>
      (
        await fixture.call<{ runs: { state: string; message?: string }[] }>('ListScheduleRuns', {
          scheduleId: schedule.id,
        })
      ).runs;
    await pass(61_000);
    await until('the run waits', async () => (await runs())[0]?.message?.includes('is at its usage limit until'));
    await fixture.call('UnparkAgent', { agentId: id, wholeAccount: true });
    await until('a run launches', async () =>
      (await runs()).some(({ state }) => state === 'SCHEDULE_RUN_STATE_COMPLETED'),
    );
  });
});
