import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import type { Schedule, ScheduleRun } from '#contract/schedule.ts';
import type { Workflow } from '#contract/workflow.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const minute = 60_000;
const day = 86_400_000;
type Run = ScheduleRun & { readonly id: string };

describe('schedules', () => {
  let fixture: RegistryFixture;
  let workflow: Made<Workflow>;
  beforeEach(async () => {
    fixture = await registryFixture();
    workflow = await fixture.workflow({ provisionEnabled: false });
  });
  afterEach(() => fixture.close());

  const create = async (given: object = {}) => {
    const request = { name: 'nightly', cron: '0 * * * *', timezone: 'UTC', prompt: 'Tidy up', ...given };
    const { schedule } = await fixture.call<{ schedule: Made<Schedule> }>('CreateSchedule', {
      workflowId: workflow.id,
      ...request,
    });
    return schedule;
  };
  const get = async (scheduleId: string) =>
    (await fixture.call<{ schedule: Schedule }>('GetSchedule', { scheduleId })).schedule;
  const runs = async (scheduleId: string) =>
    (await fixture.call<{ runs: Run[] }>('ListScheduleRuns', { scheduleId, pagination: { pageSize: 200 } })).runs;
  const agents = async () => {
    const { agents: rows } = await fixture.call<{ agents: AgentRow[] }>('ListAgents', {});
    return rows.map(({ agent }) => agent as Agent);
  };
  const settled = (scheduleId: string, count: number, state: string) =>
    moment(`${count} runs ${state}`, async () => {
      const found = (await runs(scheduleId)).filter((run) => run.state === `SCHEDULE_RUN_STATE_${state}`);
      return found.length === count ? found : undefined;
    });
  /** Lets time pass while the host stays on line. */
  const pass = async (milliseconds: number) => {
    fixture.clock.pass(milliseconds);
    await fixture.host.beat();
  };

  it('launch an agent at each occurrence, which names its schedule', async () => {
    const { id, nextRunAt, enabled, latestRun } = await create();
    expect({ nextRunAt, enabled, latestRun }).to.deep.equal({
      nextRunAt: '2026-11-21T10:00:00.000Z',
      enabled: true,
      latestRun: undefined,
    });
    await pass(60 * minute);
    const [run] = await settled(id, 1, 'COMPLETED');
    expect(run).to.include({ scheduledFor: '2026-11-21T10:00:00.000Z', attempt: 1, maxAttempts: 3, message: '' });
    const [agent, ...others] = await agents();
    expect(others).to.deep.equal([]);
    expect(agent).to.include({
      scheduleId: id,
      id: run?.agentId,
      idempotencyKey: `firing-${run?.id}`,
    });
    expect(agent?.prompt).to.match(/^Tidy up/);
    const after = await get(id);
    expect(after.nextRunAt).to.equal('2026-11-21T11:00:00.000Z');
    expect(after.latestRun?.id).to.equal(run?.id);
  });

  it('check a host’s directory once, for search and launch', async () => {
    const { id } = await create();
    const before = fixture.host.directoriesAsked;
    await pass(60 * minute);
    await settled(id, 1, 'COMPLETED');
    expect(fixture.host.directoriesAsked - before).to.equal(1);
    expect((await agents())[0]).to.include({ cwd: '/repo', hostId: 'hst_1' });
  });

  it('run once for all missed occurrences, and record the rest', async () => {
    const { id } = await create();
    await pass(5 * 60 * minute + 30 * minute);
    await settled(id, 1, 'COMPLETED');
    const all = await runs(id);
    expect(all.map(({ scheduledFor }) => scheduledFor?.slice(11, 13))).to.have.members(['10', '11', '12', '13', '14']);
    expect(all.filter(({ state }) => state === 'SCHEDULE_RUN_STATE_CANCELLED')).to.have.length(4);
    expect(all.find(({ state }) => state === 'SCHEDULE_RUN_STATE_CANCELLED')?.message).to.include('a later one runs');
    expect(await agents()).to.have.length(1);
  });

  it('run all missed occurrences, or none, by policy', async () => {
    const all = await create({ name: 'all', missed: 'MISSED_POLICY_RUN_ALL', catchUpSeconds: 3 * 3600 });
    const none = await create({ name: 'none', missed: 'MISSED_POLICY_SKIP' });
    await pass(5 * 60 * minute + 30 * minute);
    await settled(all.id, 3, 'COMPLETED');
    await settled(all.id, 2, 'CANCELLED');
    await settled(none.id, 5, 'CANCELLED');
    expect(await agents()).to.have.length(3);
  });

  it('record more than a thousand missed occurrences in one row, for any jump of the clock', async () => {
    const { id } = await create({ cron: '* * * * *' });
    await pass(3_653 * day);
    await settled(id, 1, 'COMPLETED');
    const [missed] = await settled(id, 1, 'CANCELLED');
    expect(missed?.message).to.include('more than 1000 occurrences');
    await pass(-3_653 * day + minute);
    await moment('the clock is mended', async () => {
      await pass(minute);
      return (await runs(id)).length >= 4;
    });
    const times = (await runs(id)).map(({ scheduledFor }) => scheduledFor);
    expect(new Set(times).size).to.equal(times.length);
  });

  it('do not repeat recorded occurrences when the clock goes back by hours, and fire the others', async () => {
    const { id } = await create({ missed: 'MISSED_POLICY_RUN_ALL' });
    await pass(5 * 60 * minute);
    await settled(id, 5, 'COMPLETED');
    await pass(-4 * 60 * minute);
    await moment('what was decided for times to come is undone', async () => {
      const { nextRunAt } = await get(id);
      return nextRunAt === '2026-11-21T11:00:00.000Z';
    });
    for (let hours = 0; hours < 5; hours += 1) await pass(60 * minute);
    await settled(id, 6, 'COMPLETED');
    const times = (await runs(id)).map(({ scheduledFor }) => scheduledFor?.slice(11, 13));
    expect(times).to.have.members(['10', '11', '12', '13', '14', '15']);
    expect(await agents()).to.have.length(6);
  });

  /** A workflow whose launches fail: no worktree can be made if there is no repository. */
  const broken = async () => (await fixture.workflow({ cwd: '/plain', provisionEnabled: true })).id;

  it('skip while an earlier run has not ended, even without an agent', async () => {
    const { id } = await create({ overlap: 'OVERLAP_POLICY_SKIP', workflowId: await broken() });
    await pass(60 * minute);
    const [failed] = await settled(id, 1, 'RETRYABLE');
    await pass(60 * minute);
    const [skipped] = await settled(id, 1, 'CANCELLED');
    expect(skipped?.message).to.equal(`overlap: run ${failed?.id} has not ended`);
  });

  it('run one after another with the wait policy if several are due together', async () => {
    const { id } = await create({ missed: 'MISSED_POLICY_RUN_ALL', overlap: 'OVERLAP_POLICY_WAIT' });
    await pass(3 * 60 * minute);
    const [first] = await settled(id, 1, 'COMPLETED');
    await settled(id, 2, 'PENDING');
    expect(first?.scheduledFor).to.equal('2026-11-21T10:00:00.000Z');
    expect(await agents()).to.have.length(1);
  });

  it('have a jitter that depends only on their ids', async () => {
    const { id } = await create({ jitterSeconds: 3_000 });
    const due = async () => {
      const stored = await fixture.store.read(({ firings }) => firings.page(id, undefined, 1));
      return (stored[0]?.dueAt ?? 0) - (stored[0]?.scheduledFor ?? 0);
    };
    await pass(60 * minute);
    await settled(id, 1, 'SCHEDULED');
    const spread = await due();
    expect(spread).to.be.within(1, 3_000_000);
    await pass(55 * minute);
    await settled(id, 1, 'COMPLETED');
    await pass(5 * minute);
    await settled(id, 1, 'SCHEDULED');
    expect(await due()).to.equal(spread);
  });

  it('skip, or wait, while an agent of an earlier run works', async () => {
    const skip = await create({ name: 'skip', overlap: 'OVERLAP_POLICY_SKIP' });
    const wait = await create({ name: 'wait', overlap: 'OVERLAP_POLICY_WAIT' });
    await pass(60 * minute);
    const [one] = await settled(skip.id, 1, 'COMPLETED');
    const [first] = await settled(wait.id, 1, 'COMPLETED');
    for (const run of [one, first]) await fixture.host.bringUp(run?.agentId ?? '');
    await pass(60 * minute);
    const [skipped] = await settled(skip.id, 1, 'CANCELLED');
    expect(skipped?.message).to.match(/^overlap: agent .* is at work$/);
    const [waiting] = await settled(wait.id, 1, 'PENDING');
    expect(waiting?.message).to.include('is at work');
    await fixture.host.tell(first?.agentId ?? '', {
      type: 'READING',
      reading: { state: 'AGENT_STATE_IDLE', reason: '' },
    });
    await settled(wait.id, 2, 'COMPLETED');
  });

  it('wait for a host, and are cancelled without workflow or room', async () => {
    const { id } = await create();
    fixture.clock.pass(minute);
    await moment('the host is missed', async () => {
      const { hosts } = await fixture.call<{ hosts: Host[] }>('ListHosts', {});
      return hosts.every(({ state }) => state !== 'HOST_STATE_ONLINE');
    });
    fixture.clock.pass(59 * minute);
    const [waiting] = await settled(id, 1, 'PENDING');
    expect(waiting?.message).to.match(/^waits for a host that can take it: hst_1.example has been silent since 2026/);
    await fixture.call('DeleteWorkflow', { workflowId: workflow.id });
    await fixture.host.beat();
    const [gone] = await settled(id, 1, 'CANCELLED');
    expect(gone?.message).to.include('workflow gone');
  });

  it('are paused and resumed, which cancels firings that have not begun', async () => {
    const { id } = await create({ jitterSeconds: 86_400 });
    await pass(60 * minute);
    await settled(id, 1, 'SCHEDULED');
    const { schedule } = await fixture.call<{ schedule: Schedule }>('PauseSchedule', { scheduleId: id });
    expect(schedule).to.include({ enabled: false, pausedByFailures: false, pausedReason: 'paused by a person' });
    expect(schedule.nextRunAt).to.equal(undefined);
    const [run] = await settled(id, 1, 'CANCELLED');
    expect(run?.message).to.equal('the schedule was paused');
    await pass(5 * 60 * minute);
    await fixture.call('ResumeSchedule', { scheduleId: id });
    expect((await get(id)).nextRunAt).to.equal('2026-11-21T16:00:00.000Z');
    expect(await runs(id)).to.have.length(1);
  });

  it('are retried, discarded after the last attempt, and paused after repeated discards', async () => {
    const { id } = await create({ maxAttempts: 2, pauseAfterFailures: 1, workflowId: await broken() });
    await pass(60 * minute);
    const [failed] = await settled(id, 1, 'RETRYABLE');
    expect(failed?.message).to.include('not in a git repository');
    await pass(minute);
    const [run] = await settled(id, 1, 'DISCARDED');
    expect(run).to.include({ attempt: 2, maxAttempts: 2 });
    expect(await get(id)).to.include({ enabled: false });
    expect((await get(id)).pausedReason).to.include('1 failed firings in a row');
    expect(await get(id)).to.include({ pausedByFailures: true });
    fixture.host.directories.set('/plain', true);
    await fixture.call('RetryScheduleRun', { runId: run?.id });
    await settled(id, 1, 'COMPLETED');
  });

  it('retry with growing, jittered pauses of some minutes at most', async () => {
    const { id } = await create({ maxAttempts: 20, workflowId: await broken() });
    await pass(60 * minute);
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await moment(`try ${attempt} has failed`, async () => {
        const [run] = await runs(id);
        return run?.attempt === attempt && run.state === 'SCHEDULE_RUN_STATE_RETRYABLE';
      });
      const [stored] = await fixture.store.read(({ firings }) => firings.page(id, undefined, 1));
      const wait = (stored?.dueAt ?? 0) - fixture.clock.now();
      const min = Math.min(10_000 * 2 ** (attempt - 1), 600_000);
      expect(wait, `after try ${attempt}`).to.be.within(min, 1.2 * min);
      await pass(wait);
    }
  });

  it('are fired, and their runs cancelled, by hand', async () => {
    const { id } = await create({ paused: true });
    const { run } = await fixture.call<{ run: Run }>('FireSchedule', { scheduleId: id });
    expect(run.state).to.equal('SCHEDULE_RUN_STATE_AVAILABLE');
    await settled(id, 1, 'COMPLETED');
    const refused = await failureOf(() => fixture.call('CancelScheduleRun', { runId: run.id }));
    expect(refused.code).to.equal('failed_precondition');
    expect(refused.message).to.include('SCHEDULE_RUN_STATE_COMPLETED');
    await fixture.call('DeleteSchedule', { scheduleId: id });
    expect((await failureOf(() => get(id))).code).to.equal('not_found');
    expect(await agents()).to.have.length(1);
  });

  it('launch one agent per firing over any number of attempts', async () => {
    const { id } = await create();
    const { run } = await fixture.call<{ run: Run }>('FireSchedule', { scheduleId: id });
    await settled(id, 1, 'COMPLETED');
    await fixture.call('RetryScheduleRun', { runId: run.id });
    await moment('it is tried again', async () => (await runs(id))[0]?.attempt === 2);
    await settled(id, 1, 'COMPLETED');
    expect(await agents()).to.have.length(1);
  });

  it('refuse invalid fields, and change only given ones', async () => {
    for (const given of [{ cron: '* * * *' }, { cron: 'H H * * *' }, { timezone: 'Mars/Olympus' }]) {
      expect((await failureOf(() => create(given))).code, JSON.stringify(given)).to.equal('invalid_argument');
    }
    const { id } = await create({ hideAgents: true, jitterSeconds: 5 });
    expect((await failureOf(() => create())).code).to.equal('already_exists');
    const { schedule } = await fixture.call<{ schedule: Schedule }>('UpdateSchedule', {
      scheduleId: id,
      cron: '30 * * * *',
      clear: ['jitterSeconds'],
    });
    expect(schedule).to.include({ nextRunAt: '2026-11-21T09:30:00.000Z', hideAgents: true, jitterSeconds: 0 });
    await fixture.call('FireSchedule', { scheduleId: id });
    await settled(id, 1, 'COMPLETED');
    const hidden = async () => (await fixture.call<{ agents: AgentRow[] }>('ListAgents', {})).agents[0]?.hidden;
    expect(await hidden()).to.equal(true);
    await fixture.call('UpdateSchedule', { scheduleId: id, hideAgents: false });
    expect(await hidden()).to.equal(undefined);
  });

  it('are listed, most recently updated first, and watched with their runs', async () => {
    const first = await create({ name: 'a', prompt: 'x'.repeat(300), timezone: '' });
    fixture.clock.pass(1);
    const second = await create({ name: 'b' });
    const { schedules } = await fixture.call<{ schedules: Schedule[] }>('ListSchedules', {});
    expect(schedules.map(({ id }) => id)).to.deep.equal([second.id, first.id]);
    expect(schedules[1]).to.include({ promptTruncated: true, timezone: '' });
    expect(schedules[1]?.prompt).to.have.length(200);
    expect(schedules[1]?.recentRuns).to.deep.equal([]);
    interface Watched {
      readonly schedules: Schedule[];
      readonly goneScheduleIds: string[];
      readonly cursor: string;
    }
    const all = await fixture.call<Watched>('WatchSchedules', {});
    expect(all.schedules).to.have.length(2);
    await fixture.call('FireSchedule', { scheduleId: first.id });
    await settled(first.id, 1, 'COMPLETED');
    await fixture.call('DeleteSchedule', { scheduleId: second.id });
    const moved = await fixture.call<Watched>('WatchSchedules', { cursor: all.cursor });
    expect(moved.schedules.map(({ id }) => id)).to.deep.equal([first.id]);
    expect(moved.schedules[0]?.recentRuns).to.have.length(1);
    expect(moved.goneScheduleIds).to.deep.equal([second.id]);
    const still = await fixture.call<Watched>('WatchSchedules', { cursor: moved.cursor });
    expect(still.schedules).to.deep.equal([]);
  });

  it('are computed again at the start: timezone rules may have changed', async () => {
    const { id } = await create();
    await fixture.store.write(async ({ schedules }) => {
      const { decidedUpTo } = (await schedules.find(id)) ?? { decidedUpTo: 0 };
      await schedules.advance(id, { decidedUpTo, nextAt: fixture.clock.now() + day });
    });
    await fixture.restart();
    await moment('it is mended', async () => (await get(id)).nextRunAt === '2026-11-21T10:00:00.000Z');
  });

  it('continue over a restart', async () => {
    const { id } = await create();
    await fixture.restart();
    await pass(60 * minute);
    await settled(id, 1, 'COMPLETED');
  });
});
