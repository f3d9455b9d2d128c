import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Budget } from '#contract/budget/budget.ts';
import type { Failure } from '#contract/failure.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import type { AwaitedAgent } from '#contract/operations/wait.ts';
import type { Schedule, ScheduleRun } from '#contract/schedule.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type As, type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('a budget', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture({ ceiling: 200 });
  });
  after(() => fixture.close());

  const set = async (ownerId: string, given: object, as: As = 'person') =>
    (await fixture.call<{ budget?: Budget }>('SetBudget', { ownerId, ...given }, as)).budget;
  const go = async (ownerId: string) => (await fixture.call<{ budget: Budget }>('ContinueBudget', { ownerId })).budget;
  const budgetsOf = async (agentId?: string) =>
    (await fixture.call<{ budgets: Budget[] }>('ListBudgets', agentId ? { agentId } : {})).budgets;
  const show = async (agentId: string) =>
    (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId })).agent.agent as Agent;
  const isHeld = (agentId: string) => moment('it is held', async () => (await show(agentId)).overBudget);
  /** Whoever changed the budget may prompt at once. */
  const isFree = async (agentId: string) => expect((await show(agentId)).overBudget).to.equal(undefined);
  const kindsOf = async (subjectId: string, wanted: RegExp) => {
    const { facts } = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', { subjectId });
    return facts
      .filter(({ kind }) => wanted.test(kind))
      .map(({ kind, detail }) => [kind, JSON.parse(detail) as object] as const)
      .toReversed();
  };
  const launch = async (given: Partial<CreateAgentRequest> = {}, as: As = 'person') =>
    (await fixture.create({ provisionEnabled: false, ...given }, as)).id;
  const refusedLaunch = (given: Partial<CreateAgentRequest>, as: As = 'person'): Promise<Failure> =>
    failureOf(() => launch(given, as));
  const reads = (state: 'IDLE' | 'THINKING') =>
    ({ type: 'READING', reading: { state: `AGENT_STATE_${state}` as const, reason: '' } }) as const;
  const rest = (id: string) => fixture.host.tell(id, reads('IDLE'));
  const work = (id: string) => fixture.host.tell(id, reads('THINKING'));
  const atRest = async (workflowId: string) => {
    const id = await launch({ workflowId });
    await fixture.host.bringUp(id);
    await rest(id);
    return id;
  };
  const prompt = (agentId: string, as: As = 'person') => fixture.call('PromptAgent', { agentId, prompt: 'go on' }, as);

  it('is reported to those who wait for an agent that rests, and not while its turn goes on', async () => {
    const { id: workflowId } = await fixture.workflow();
    const id = await atRest(workflowId);
    await set(id, { turns: 1 });
    await work(id);
    await isHeld(id);
    const wait = async (request: object = { afterTurn: 9 }) =>
      (await fixture.call<{ agents: AwaitedAgent[] }>('WaitForAgents', { agentIds: [id], ...request })).agents[0];
    expect(await wait()).to.equal(undefined);
    await rest(id);
    expect(await wait()).to.include({
      outcome: 'AGENT_OUTCOME_OVER_BUDGET',
      reason: `agent ${(await show(id)).name} has used up its 1 turn a day`,
    });
    expect((await wait({ until: ['AGENT_OUTCOME_WAITS'] }))?.outcome).to.equal('AGENT_OUTCOME_OVER_BUDGET');
    expect((await wait({}))?.outcome).to.equal('AGENT_OUTCOME_FINISHED');
    await go(id);
    await isFree(id);
    expect(await wait()).to.equal(undefined);
  });

  it('of turns counts one that begins and ends between two readings', async () => {
    const { id: workflowId } = await fixture.workflow();
    const id = await atRest(workflowId);
    await set(id, { turns: 1 });
    await fixture.host.tell(id, { type: 'PROMPTED', reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
    await isHeld(id);
    await go(id);
    await isFree(id);
  });

  it('begins with the launch of an agent, also by another one, which cannot change it then', async () => {
    const lead = await launch({ role: 'AGENT_ROLE_ORCHESTRATOR', provisionEnabled: false });
    const { id, name } = await fixture.create(
      { budgetTurns: 1, budgetWorkMinutes: 30, provisionEnabled: false },
      { agentId: lead },
    );
    expect(await budgetsOf(id)).to.deep.include.members([
      { ...(await budgetsOf(id))[0], ownerId: id, ownerName: name, limits: { turns: 1, workMinutes: 30 } },
    ]);
    await fixture.host.bringUp(id);
    await rest(id);
    await work(id);
    await isHeld(id);
    const changed = await failureOf(() => set(id, { turns: 9 }, { agentId: lead }));
    expect(changed.code).to.equal('permission_denied');
  });

  it('of turns holds an agent at 100 %, without interrupting it, until a person continues it', async () => {
    const { id: workflowId } = await fixture.workflow();
    const id = await atRest(workflowId);
    expect(await set(id, { turns: 5 })).to.deep.include({
      limits: { turns: 5 },
      used: { turns: 0, workMinutes: 0, launches: 0 },
    });
    for (let turn = 1; turn <= 4; turn += 1) {
      await work(id);
      await rest(id);
    }
    expect(await kindsOf(id, /^budget\./)).to.deep.equal([
      ['budget.set', { name: (await show(id)).name, limits: { turns: 5 } }],
      [
        'budget.near',
        { name: (await show(id)).name, measure: 'turns', used: 4, limit: 5, reason: '4 of 5 turns a day used' },
      ],
    ]);
    await prompt(id);
    await fixture.host.tell(id, { type: 'PROMPTED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } });
    const since = new Date(fixture.clock.now()).toISOString();
    const name = (await show(id)).name ?? '';
    const spent = { ownerId: id, ownerName: name, measure: 'BUDGET_MEASURE_TURNS', used: 5, limit: 5, since };
    expect((await show(id)).overBudget).to.deep.equal(spent);
    // Its turn goes on, is finished, and can be interrupted.
    expect((await fixture.host.registry.load(id)).effects).to.deep.equal([]);
    await fixture.call('InterruptAgent', { agentId: id });
    await rest(id);
    expect((await kindsOf(id, /^agent\.finished$/)).length).to.equal(6);
    const { reason, message, code, metadata } = await failureOf(() => prompt(id));
    expect({ reason, code, metadata }).to.deep.equal({
      reason: 'BUDGET_SPENT',
      code: 'resource_exhausted',
      metadata: { ownerId: id },
    });
    expect(message)
      .to.contain(`agent ${name} has used up its 5 turns a day, since ${since}`)
      .and.contain('continue_budget');
    expect(
      (await failureOf(() => fixture.call('AnswerAgent', { agentId: id, screenDigest: 'd', keys: ['1'] }))).reason,
    ).to.equal('BUDGET_SPENT');
    await fixture.restart();
    await fixture.host.beat();
    expect((await show(id)).overBudget).to.deep.equal(spent);
    expect(await budgetsOf(id)).to.have.lengthOf(1);
    // The next day it is still held, and a person is asked.
    expect((await go(id)).used).to.deep.include({ turns: 0 });
    await isFree(id);
    await prompt(id);
    expect(
      (await kindsOf(id, /^agent\.(over|within)-budget|^budget\.(spent|continued)$/)).map(([kind]) => kind),
    ).to.deep.equal(['budget.spent', 'agent.over-budget', 'budget.continued', 'agent.within-budget']);
  });

  it('is neither reset by the archive, a restart or another day, nor evaded through other agents', async () => {
    const { id: workflowId } = await fixture.workflow();
    const lead = await launch({ workflowId, role: 'AGENT_ROLE_ORCHESTRATOR' });
    await fixture.host.bringUp(lead);
    const helper = await launch({ workflowId }, { agentId: lead });
    await fixture.host.bringUp(helper);
    const away = await atRest(workflowId);
    const archive = async (agentId: string) => {
      await fixture.call('ArchiveAgent', { agentId });
      await fixture.host.tell(agentId, { type: 'PANE_CLOSED' });
    };
    await archive(away);
    await set(workflowId, { turns: 2 });
    await rest(helper);
    await work(helper);
    await rest(lead);
    await work(lead);
    for (const id of [lead, helper]) await isHeld(id);
    await archive(helper);
    for (const agentId of [helper, away]) await fixture.call('RestoreAgent', { agentId });
    await fixture.restart();
    for (const id of [helper, away]) await fixture.host.tell(id, { type: 'WINDOW_OPENED', paneId: '%9' });
    for (const id of [lead, helper, away]) await isHeld(id);
    fixture.clock.pass(30 * 60 * 60_000);
    await fixture.host.beat();
    for (const id of [lead, helper, away]) await isHeld(id);
    for (const as of [{ agentId: lead }, 'person'] as const)
      expect((await refusedLaunch({ workflowId }, as)).reason).to.equal('BUDGET_SPENT');
    expect((await failureOf(() => prompt(helper, { agentId: lead }))).reason).to.equal('BUDGET_SPENT');
    await go(workflowId);
    for (const id of [lead, helper, away]) await isFree(id);
  });

  it('is set and seen by nobody but people', async () => {
    const { id: workflowId } = await fixture.workflow();
    for (const role of ['AGENT_ROLE_IMPLEMENTER', 'AGENT_ROLE_REVIEWER', 'AGENT_ROLE_ORCHESTRATOR'] as const) {
      const id = await launch({ workflowId, role });
      for (const method of ['SetBudget', 'ContinueBudget', 'ListBudgets']) {
        const request = method === 'ListBudgets' ? {} : { ownerId: id };
        expect((await failureOf(() => fixture.call(method, request, { agentId: id }))).code).to.equal(
          'permission_denied',
        );
      }
    }
    expect((await failureOf(() => set('wfl_none', { turns: 1 }))).reason).to.equal('BUDGET_OWNER_NOT_FOUND');
    expect((await failureOf(() => set('hst_1', { turns: 1 }))).reason).to.equal('BUDGET_OWNER_NOT_FOUND');
    expect((await failureOf(() => set('agt_none', { turns: 1 }))).reason).to.equal('AGENT_NOT_FOUND');
    expect((await failureOf(() => go(workflowId))).reason).to.equal('NO_BUDGET');
    expect(await set(workflowId, {})).to.equal(undefined);
  });

  it('of time at work adds up the agents of a workflow, and holds all of them when it is used up', async () => {
    const { id: workflowId, name } = await fixture.workflow();
    const [first, second, idle] = [await atRest(workflowId), await atRest(workflowId), await atRest(workflowId)];
    await work(first);
    await set(workflowId, { workMinutes: 1 });
    await work(second);
    const pass = async (seconds: number) => {
      fixture.clock.pass(seconds * 1_000);
      await fixture.host.beat();
    };
    const noticed = (kind: string) =>
      moment(kind, async () => (await kindsOf(workflowId, /^budget\.(near|spent)$/)).some(([one]) => one === kind));
    await pass(15);
    expect(await kindsOf(workflowId, /^budget\.(near|spent)$/)).to.deep.equal([]);
    await pass(9);
    await noticed('budget.near');
    await rest(second);
    await pass(11);
    expect(await show(first)).not.to.have.property('overBudget');
    await pass(1);
    await noticed('budget.spent');
    for (const id of [first, second, idle]) {
      expect(await isHeld(id)).to.deep.include({
        ownerId: workflowId,
        ownerName: name,
        measure: 'BUDGET_MEASURE_WORK',
        used: 1,
        limit: 1,
      });
    }
    expect((await fixture.host.registry.load(first)).effects).to.deep.equal([]);
    expect((await refusedLaunch({ workflowId })).reason).to.equal('BUDGET_SPENT');
    expect((await kindsOf(workflowId, /^budget\.(near|spent)$/)).map(([kind]) => kind)).to.deep.equal([
      'budget.near',
      'budget.spent',
    ]);
    // An agent that comes to run later is held, too; one that is restored keeps its hold.
    await fixture.call('ArchiveAgent', { agentId: idle });
    await fixture.host.tell(idle, { type: 'PANE_CLOSED' });
    expect(await set(workflowId, { workMinutes: 10 })).not.to.have.property('spent');
    await isFree(first);
    await isFree(second);
    await fixture.call('RestoreAgent', { agentId: idle });
    await fixture.host.tell(idle, { type: 'WINDOW_OPENED', paneId: '%7' });
    await isFree(idle);
    await launch({ workflowId });
    // Without limits there is no budget.
    expect(await set(workflowId, { clear: ['workMinutes'] })).to.equal(undefined);
    expect((await budgetsOf()).map(({ ownerId }) => ownerId)).not.to.include(workflowId);
  });

  it('of time at work counts none of a silent host', async () => {
    const { id: workflowId } = await fixture.workflow();
    const id = await atRest(workflowId);
    await set(workflowId, { workMinutes: 2 });
    await work(id);
    fixture.clock.pass(31_000);
    await moment('its host is silent', async () => (await show(id)).lastKnownAt);
    fixture.clock.pass(3_600_000);
    await fixture.host.beat();
    await moment('its host is back', async () => !(await show(id)).lastKnownAt);
    fixture.clock.pass(29_000);
    expect((await budgetsOf(id))[0]).to.deep.include({
      agentsAtWork: 1,
      used: { turns: 1, workMinutes: 1, launches: 0 },
    });
    await fixture.host.beat();
    await rest(id);
    expect(await show(id)).not.to.have.property('overBudget');
  });

  it('of launches counts those of agents to their own workflow too, and never one too many', async () => {
    const [{ id: own }, { id: other }] = [await fixture.workflow(), await fixture.workflow()];
    await fixture.call('UpdateWorkflow', { workflowId: own, agentsMayLaunch: { workflowIds: [other] } });
    const lead = await launch({ workflowId: own });
    await set(own, { launches: 4 });
    await set(other, { launches: 6 });
    const helper = await launch({ workflowId: other, idempotencyKey: 'one' }, { agentId: lead });
    expect(await launch({ workflowId: other, idempotencyKey: 'one' }, { agentId: lead })).to.equal(helper);
    const amounts = async () =>
      (await budgetsOf())
        .filter(({ ownerId }) => [own, other].includes(ownerId ?? ''))
        .map(({ used }) => used?.launches);
    expect(await amounts()).to.deep.equal([1, 1]);
    const tries = await Promise.allSettled(
      Array.from({ length: 9 }, (_, at) => launch({ workflowId: at % 3 === 0 ? other : own })),
    );
    const started = tries.filter(({ status }) => status === 'fulfilled').length;
    expect(await amounts()).to.deep.equal([4, 4]);
    expect(started).to.equal(6);
    const refused = await refusedLaunch({ workflowId: other }, { agentId: lead });
    expect(refused.message).to.match(
      /^Nothing was launched: workflow .* has used up its 4 launches a day, until 2026-11-2\dT/,
    );
    // Nobody is held for it.
    expect(await show(lead)).not.to.have.property('overBudget');
    expect((await go(own)).used?.launches).to.equal(0);
    await launch({ workflowId: own });
  });

  it('of a schedule has its firings wait, and counts the work of all who descend from it', async () => {
    const { id: workflowId } = await fixture.workflow();
    const given = { name: 'nightly', cron: '0 0 1 1 *', timezone: 'UTC', prompt: 'Look', workflowId };
    const { schedule } = await fixture.call<{ schedule: Made<Schedule> }>('CreateSchedule', given);
    await set(schedule.id, { launches: 2, turns: 3 });
    const fire = async () =>
      (await fixture.call<{ run: ScheduleRun }>('FireSchedule', { scheduleId: schedule.id })).run.id;
    const run = async (id: string | undefined) =>
      (await fixture.call<{ runs: ScheduleRun[] }>('ListScheduleRuns', { scheduleId: schedule.id })).runs.find(
        (one) => one.id === id,
      );
    const done = async (id: string | undefined) =>
      (
        await moment('it is done', async () =>
          (await run(id))?.state === 'SCHEDULE_RUN_STATE_COMPLETED' ? run(id) : undefined,
        )
      ).agentId ?? '';
    const first = await done(await fire());
    // Its descendant counts as a launch and with its turns.
    const child = await launch({ workflowId }, { agentId: first });
    const third = await fire();
    const waiting = await moment('it waits', async () =>
      (await run(third))?.state === 'SCHEDULE_RUN_STATE_PENDING' ? run(third) : undefined,
    );
    expect(waiting.message).to.match(/^waits: schedule nightly has used up its 2 launches a day, until 2026-/);
    await fixture.host.bringUp(first);
    await fixture.host.bringUp(child);
    await rest(child);
    await work(child);
    expect(await isHeld(child)).to.deep.include({ ownerId: schedule.id, limit: 3 });
    await isHeld(first);
    expect((await refusedLaunch({ workflowId }, { agentId: child })).reason).to.equal('BUDGET_SPENT');
    await launch({ workflowId });
    await go(schedule.id);
    await done(third);
    await isFree(first);
    await set(schedule.id, { turns: 1 });
    await rest(first);
    await work(first);
    await isHeld(child);
    await fixture.call('DeleteSchedule', { scheduleId: schedule.id });
    await moment('it is free', async () => !(await show(child)).overBudget);
  });
});
