import { expect } from 'chai';
import { mayAnswer } from '#actors/registry/approval/may-answer.ts';
import type { AgentSummary } from '#contract/agent/agent-summary.ts';
import type { AwaitedAgent } from '#contract/operations/wait.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { failureOf } from '#test/support/failure.ts';
import {
  atLimit,
  continuing,
  day,
  hour,
  idle,
  type LimitStage,
  limitStage,
  refused,
  resumed,
  thinking,
} from './limit-stage.ts';

describe('agents whose account is limited', () => {
  let stage: LimitStage;
  beforeEach(async () => {
    stage = await limitStage();
  });
  afterEach(() => stage.fixture.close());

  it('are all parked by one of them, with one notice, and no other account is', async () => {
    const [first, second] = [await stage.launched(), await stage.launched()];
    const other = await stage.launched(stage.flow.id, 'codex');
    await stage.tell(first, thinking);
    await stage.tell(second, thinking, idle);
    const end = stage.fixture.clock.now() + hour;
    await stage.tell(first, atLimit(end));
    const expected = {
      reason: 'PARK_REASON_USAGE_LIMIT',
      until: new Date(end).toISOString(),
      account: `claude on ${stage.fixture.host.name}`,
      resume: false,
    };
    expect(await stage.parkOf(first)).to.deep.include(expected);
    expect(await stage.parkOf(second)).to.deep.include(expected);
    expect(await stage.parkOf(other)).to.equal(undefined);
    await stage.tell(second, thinking, atLimit(end));
    expect((await stage.facts(stage.fixture.host.id)).filter((kind) => kind === 'account.limited')).to.have.length(1);
    expect(await stage.facts(first)).to.deep.equal(['agent.parked']);
    const { agents } = await stage.fixture.call<{ agents: AwaitedAgent[] }>('WaitForAgents', { agentIds: [first] });
    expect(agents, 'a turn that a limit stopped is not finished').to.deep.equal([]);
  });

  /** Lets the limit of an agent end in an hour, until it is asked to continue; `state` is what it then shows first. */
  async function continued(id: string, state: 'AGENT_STATE_IDLE' | 'AGENT_STATE_THINKING'): Promise<void> {
    await stage.pass(hour + 60_000);
    await stage.until('it is asked to continue', async () => (await stage.effects(id)).includes('resumeWork'));
    await stage.tell(id, { type: 'PROMPTED', reading: { state, reason: '' } }, resumed('continued'));
  }

  it('are asked once to continue at its end, if their workflow wants that, and a person is asked if it does not help', async () => {
    await stage.policy('ON_USAGE_LIMIT_RESUME');
    const id = await stage.launched();
    const end = stage.fixture.clock.now() + hour;
    await stage.tell(id, thinking, atLimit(end));
    expect(await stage.effects(id)).to.deep.equal([]);
    await continued(id, 'AGENT_STATE_THINKING');
    expect(await stage.parkOf(id)).to.equal(undefined);
    expect(await stage.facts(id)).to.deep.equal(['agent.parked', 'agent.resumed']);
    await stage.tell(id, atLimit(end + 60_000, 'usage-limit, 3:01pm'));
    const { park, stateReason } = await stage.agent(id);
    expect(park).to.equal(undefined);
    expect(stateReason).to.contain('did not help');
    expect(await stage.facts(id)).to.deep.equal(['agent.parked', 'agent.resumed', 'agent.waits']);
    await stage.tell(id, thinking, idle, thinking, atLimit(stage.fixture.clock.now() + 5 * hour, 'usage-limit, 8pm'));
    expect(await stage.parkOf(id), 'a later limit is another one').to.deep.include({ resume: true });
  });

  it('count as continued also if the turn is over before the host says so', async () => {
    await stage.policy('ON_USAGE_LIMIT_RESUME');
    const id = await stage.launched();
    await stage.tell(id, thinking, atLimit(stage.fixture.clock.now() + hour));
    await continued(id, 'AGENT_STATE_IDLE');
    expect(await stage.facts(id)).to.deep.equal(['agent.parked', 'agent.finished', 'agent.resumed']);
    await stage.tell(id, thinking, atLimit(stage.fixture.clock.now() + 5 * hour, 'usage-limit, 8pm'));
    expect(await stage.parkOf(id), 'a later limit is another one').to.deep.include({ resume: true });
  });

  it('are left alone while their CLI says that it continues by itself, for some minutes after the end', async () => {
    await stage.policy('ON_USAGE_LIMIT_RESUME');
    const [continues, cancelled, never] = [await stage.launched(), await stage.launched(), await stage.launched()];
    const end = stage.fixture.clock.now() + hour;
    for (const id of [continues, cancelled, never]) await stage.tell(id, thinking, continuing(end));
    const dueAt = async (id: string) => {
      const stored = await stage.fixture.store.read(({ agents }) => agents.find(id));
      return stored === undefined ? 0 : (readAgentContext(stored.snapshot).park?.due ?? 0);
    };
    await stage.pass(hour + 3 * 60_000);
    for (const id of [continues, cancelled, never]) {
      await stage.until('its time is over', async () => (await dueAt(id)) > end + 3 * 60_000);
      expect(await stage.effects(id), 'nothing is typed').to.deep.equal([]);
    }
    await stage.tell(continues, thinking);
    expect(await stage.parkOf(continues)).to.equal(undefined);
    await stage.tell(continues, idle);
    expect(await stage.facts(continues)).to.deep.equal(['agent.parked', 'agent.unparked', 'agent.finished']);
    await stage.tell(cancelled, atLimit(end));
    await stage.until('it is asked to continue', async () => (await stage.effects(cancelled)).includes('resumeWork'));
    expect(await stage.effects(never)).to.deep.equal([]);
    for (let minutes = 3; minutes < 12; minutes += 1) await stage.pass(60_000);
    await stage.until('it has had its time', async () => (await stage.effects(never)).includes('resumeWork'));
    expect(await stage.facts(never)).to.deep.equal(['agent.parked']);
  });

  it('wait at most eight days, whatever their screen shows', async () => {
    const id = await stage.launched();
    const [now, far] = [stage.fixture.clock.now(), stage.fixture.clock.now() + 10 * 365 * day];
    await stage.tell(id, thinking, atLimit(far));
    expect(await stage.parkOf(id)).to.deep.include({
      until: new Date(now + 8 * day).toISOString(),
      shownUntil: new Date(far).toISOString(),
    });
    await stage.pass(8 * day + 60_000);
    await stage.until('it is not parked', async () => (await stage.parkOf(id)) === undefined);
    expect((await stage.facts(id)).at(-1)).to.equal('agent.waits');
  });

  it('are read again at growing intervals if no end is shown, without typing, until one has worked', async () => {
    await stage.policy('ON_USAGE_LIMIT_RESUME');
    const [shows, rests] = [await stage.launched(), await stage.launched()];
    await stage.tell(shows, thinking, atLimit(undefined, 'usage-limit'));
    const begun = stage.fixture.clock.now();
    for (const id of [shows, rests])
      expect(await stage.parkOf(id)).to.deep.include({
        endUnknown: true,
        until: new Date(begun + hour / 2).toISOString(),
      });
    await stage.pass(hour / 2 + 60_000);
    for (const id of [shows, rests]) {
      await stage.until('its screen is read again', async () => (await stage.effects(id)).includes('lookAgain'));
      await stage.tell(id, resumed('looked'));
    }
    expect(await stage.effects(shows)).not.to.include('resumeWork');
    expect((await stage.parkOf(shows))?.until).to.equal(new Date(begun + 1.5 * hour).toISOString());
    expect(await stage.parkOf(rests), 'it does not show the limit').to.equal(undefined);
    await stage.tell(rests, thinking, atLimit(undefined, 'usage-limit'));
    const again = Date.parse((await stage.parkOf(rests))?.until ?? '') - stage.fixture.clock.now();
    expect(again).to.be.within(0.9 * hour, hour);
    expect((await stage.facts(stage.fixture.host.id)).filter((kind) => kind === 'account.limited')).to.have.length(1);
    await stage.pass(1_000);
    await stage.tell(rests, thinking);
    await stage.pass(1_000);
    await stage.tell(rests, idle);
    expect((await stage.facts(stage.fixture.host.id)).at(-1)).to.equal('account.freed');
    await stage.pass(10_000);
    await stage.until('it is asked to continue', async () => (await stage.effects(shows)).includes('resumeWork'));
  });

  it('continue after a restart of the registry', async () => {
    await stage.policy('ON_USAGE_LIMIT_RESUME');
    const id = await stage.launched();
    await stage.tell(id, thinking, atLimit(stage.fixture.clock.now() + hour));
    await stage.pass(hour / 2);
    await stage.fixture.restart();
    expect(await stage.parkOf(id)).to.not.equal(undefined);
    await stage.pass(hour / 2 + 60_000);
    await stage.until('it is asked to continue', async () => (await stage.effects(id)).includes('resumeWork'));
  });

  it('are answered by no rule of their workflow while they are parked', async () => {
    const id = await stage.launched();
    await stage.tell(id, {
      type: 'READING',
      reading: { state: 'AGENT_STATE_WAITING', reason: 'permission', asked: 'Run ls?' },
    });
    const isAnswered = async () => {
      const agent = await stage.fixture.store.read(({ agents }) => agents.find(id));
      return agent === undefined ? undefined : mayAnswer(agent);
    };
    expect(await isAnswered()).to.equal(true);
    await stage.fixture.call('ParkAgent', { agentId: id });
    expect(await isAnswered()).to.equal(false);
  });

  it('are left to a person at its end by default, and at once if their workflow says so', async () => {
    const id = await stage.launched();
    await stage.tell(id, thinking, atLimit(stage.fixture.clock.now() + hour));
    await stage.pass(hour + 60_000);
    await stage.until('it is not parked', async () => (await stage.parkOf(id)) === undefined);
    expect(await stage.effects(id)).to.deep.equal([]);
    expect(await stage.facts(id)).to.deep.equal(['agent.parked', 'agent.unparked', 'agent.waits']);
    await stage.policy('ON_USAGE_LIMIT_STAY');
    await stage.tell(id, thinking, atLimit(stage.fixture.clock.now() + hour, 'usage-limit, 4pm'));
    expect(await stage.parkOf(id)).to.equal(undefined);
    expect((await stage.facts(id)).at(-1)).to.equal('agent.waits');
    const since = new Date(stage.fixture.clock.now() - day).toISOString();
    const { agents } = await stage.fixture.call<{ agents: AgentSummary[] }>('SummarizeAgents', { since });
    const row = agents.find(({ agentId }) => agentId === id);
    expect(row, 'it asked no question').to.include({ waited: 2 }).and.not.have.property('asked');
  });

  it('are left alone while a person holds them, and once they moved on', async () => {
    await stage.policy('ON_USAGE_LIMIT_RESUME');
    const [held, moved] = [await stage.launched(), await stage.launched()];
    await stage.tell(held, thinking, idle);
    await stage.fixture.call('HoldAgent', { agentId: held });
    await stage.tell(moved, thinking, atLimit(stage.fixture.clock.now() + hour));
    expect(await stage.parkOf(held)).to.equal(undefined);
    await stage.tell(moved, thinking);
    await stage.pass(hour + 60_000);
    await stage.until('it is not parked', async () => (await stage.parkOf(moved)) === undefined);
    expect(await stage.effects(moved)).to.deep.equal([]);
    expect((await stage.facts(moved)).at(-1)).to.equal('agent.unparked');
  });

  it('can be unparked and kept from continuing by people and orchestrators at any moment', async () => {
    await stage.policy('ON_USAGE_LIMIT_RESUME');
    const [one, other] = [await stage.launched(), await stage.launched()];
    await stage.tell(one, thinking, atLimit(stage.fixture.clock.now() + hour));
    await stage.fixture.call('ParkAgent', { agentId: one, resume: false });
    expect(await stage.parkOf(one)).to.deep.include({ resume: false, reason: 'PARK_REASON_USAGE_LIMIT' });
    await stage.fixture.call('UnparkAgent', { agentId: one });
    expect(await stage.parkOf(one)).to.equal(undefined);
    expect(await stage.parkOf(other)).to.not.equal(undefined);
    await stage.fixture.call('UnparkAgent', { agentId: one, wholeAccount: true });
    expect(await stage.parkOf(other)).to.equal(undefined);
    expect(await failureOf(() => stage.fixture.call('UnparkAgent', { agentId: one }, { agentId: other }))).to.include({
      code: 'permission_denied',
    });
    const late = { agentId: one, until: new Date(stage.fixture.clock.now() - 1).toISOString() };
    expect(await failureOf(() => stage.fixture.call('ParkAgent', late))).to.include({ reason: 'INVALID_FIELD' });
    await stage.fixture.call('ParkAgent', {
      agentId: one,
      until: new Date(stage.fixture.clock.now() + hour).toISOString(),
    });
    expect(await stage.parkOf(one)).to.deep.include({ reason: 'PARK_REASON_PERSON', resume: false });
    await stage.pass(hour + 1_000);
    await stage.until('it is not parked', async () => (await stage.parkOf(one)) === undefined);
  });

  it('of a refused credential are parked without a time, until one of them has worked', async () => {
    const [bad, rests, works] = [await stage.launched(), await stage.launched(), await stage.launched()];
    await stage.tell(works, thinking, idle);
    await stage.pass(1_000);
    await stage.tell(bad, thinking, refused);
    expect(await stage.parkOf(rests)).to.deep.include({ reason: 'PARK_REASON_CREDENTIAL' });
    expect((await stage.parkOf(rests))?.until ?? '').to.equal('');
    await stage.pass(1_000);
    await stage.tell(works, thinking);
    await stage.pass(1_000);
    await stage.tell(works, idle);
    expect(await stage.parkOf(rests)).to.equal(undefined);
    expect((await stage.facts(stage.fixture.host.id)).slice(-2)).to.deep.equal(['account.limited', 'account.freed']);
    await stage.pass(10_000);
    await stage.until('it is not parked', async () => (await stage.parkOf(bad)) === undefined);
    expect((await stage.agent(bad)).stateReason).to.contain('works again');
  });

  it('have an account of their profile', async () => {
    const make = async (name: string, account: string) =>
      (await stage.fixture.call<{ profile: { id: string } }>('CreateProfile', { name, account })).profile.id;
    const [work, alsoWork, own] = [await make('a', 'work'), await make('b', 'work'), await make('c', '')];
    const flows = [];
    for (const profileId of [work, alsoWork, own])
      flows.push((await stage.fixture.workflow({ profileId, provisionEnabled: false })).id);
    const agents = [];
    for (const id of flows) agents.push(await stage.launched(id));
    const plain = await stage.launched();
    await stage.tell(agents[0] ?? '', thinking, atLimit(stage.fixture.clock.now() + hour));
    const parks = await Promise.all([...agents, plain].map(stage.parkOf));
    expect(parks.map((park) => park?.account)).to.deep.equal([
      `work, claude on ${stage.fixture.host.name}`,
      `work, claude on ${stage.fixture.host.name}`,
      undefined,
      undefined,
    ]);
  });

  it('keep firings with that account waiting, except those of a person', async () => {
    const id = await stage.launched();
    await stage.tell(id, thinking, atLimit(stage.fixture.clock.now() + hour));
    const { schedule } = await stage.fixture.call<{ schedule: { id: string } }>('CreateSchedule', {
      name: 'often',
      prompt: 'go',
      workflowId: stage.flow.id,
      cron: '* * * * *',
      timezone: 'UTC',
    });
    const runs = async () =>
      (
        await stage.fixture.call<{ runs: { state: string; message?: string }[] }>('ListScheduleRuns', {
          scheduleId: schedule.id,
        })
      ).runs;
    await stage.pass(61_000);
    await stage.until('the run waits', async () => (await runs())[0]?.message?.includes('is at its usage limit until'));
    await stage.fixture.call('UnparkAgent', { agentId: id, wholeAccount: true });
    await stage.until('a run launches', async () =>
      (await runs()).some(({ state }) => state === 'SCHEDULE_RUN_STATE_COMPLETED'),
    );
  });
});
