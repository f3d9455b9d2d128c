import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import type { Schedule, ScheduleRun } from '#contract/schedule.ts';
import type { Workflow } from '#contract/workflow.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import type { FakeHost } from '../fake-host.ts';
import { secondHost } from '../host/second-host.ts';
import { type Made, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const minute = 60_000;
type Run = ScheduleRun & { readonly id: string };

describe('schedules without a suitable host', () => {
  let fixture: RegistryFixture;
  let other: FakeHost;
  let workflow: Made<Workflow>;
  beforeEach(async () => {
    fixture = await registryFixture();
    other = await secondHost(fixture, 'hst_2');
    other.directories.delete('/repo');
    workflow = await fixture.workflow({ provisionEnabled: false });
  });
  afterEach(() => fixture.close());

  const create = async (given: object = {}) => {
    const request = { name: 'nightly', cron: '0 * * * *', timezone: 'UTC', prompt: 'Tidy up', workflowId: workflow.id };
    return (await fixture.call<{ schedule: Made<Schedule> }>('CreateSchedule', { ...request, ...given })).schedule;
  };
  const runs = async (scheduleId: string) =>
    (await fixture.call<{ runs: Run[] }>('ListScheduleRuns', { scheduleId, pagination: { pageSize: 200 } })).runs;
  const settled = (scheduleId: string, count: number, state: string) =>
    moment(`${count} runs ${state}`, async () => {
      const found = (await runs(scheduleId)).filter((run) => run.state === `SCHEDULE_RUN_STATE_${state}`);
      return found.length === count ? found : undefined;
    });
  const waitingFor = (scheduleId: string, words: string) =>
    moment(`a run waits for ${words}`, async () => {
      const [run] = await runs(scheduleId);
      return run?.state === 'SCHEDULE_RUN_STATE_PENDING' && run.message?.includes(words) ? run : undefined;
    });
  const launched = async () => {
    const { agents } = await fixture.call<{ agents: AgentRow[] }>('ListAgents', {});
    return agents.map(({ agent }) => (agent as Agent).hostId);
  };
  /**
   * Advances the time while the second host stays online, and optionally the first one. A launch in progress ends
   * before: hours that pass in the middle of one end its lease, and the next try waits for a second that never comes.
   */
  const pass = async (milliseconds: number, isFirstThere = false) => {
    await moment('no launch is under way', () =>
      fixture.store.read(async ({ firings }) => {
        const found = await Promise.all(['available', 'running'].map((state) => firings.inState(state, 1)));
        return found.every((some) => some.length === 0);
      }),
    );
    fixture.clock.pass(milliseconds);
    await other.beat();
    if (isFirstThere) await fixture.host.beat();
  };
  const lose = async () => {
    await pass(minute);
    await moment('the first host is lost', async () => {
      const { hosts } = await fixture.call<{ hosts: Host[] }>('ListHosts', {});
      return hosts.find(({ id }) => id === 'hst_1')?.state === 'HOST_STATE_LOST';
    });
  };

  it('wait for one with the directory, and name what each one lacks', async () => {
    const { id } = await create();
    await lose();
    await pass(59 * minute);
    const run = await waitingFor(id, 'no directory "/repo"');
    expect(run.message).to.match(
      /^waits for a host that can take it: .*hst_1\.example has been silent since 2026-11-21T09:00:00.000Z/,
    );
    expect(run.attempt).to.equal(0);
    for (let passed = 0; passed < 30; passed += 1) await pass(minute);
    expect((await settled(id, 1, 'PENDING'))[0]?.attempt).to.equal(0);
    await fixture.host.beat();
    await settled(id, 1, 'COMPLETED');
    expect(await launched()).to.deep.equal(['hst_1']);
  });

  it('wait for their pinned host, whatever others have', async () => {
    other.directories.set('/repo', true);
    const pinned = await fixture.workflow({ provisionEnabled: false, host: 'hst_1' });
    const { id } = await create({ workflowId: pinned.id });
    await lose();
    await pass(59 * minute);
    const run = await waitingFor(id, 'hst_1.example has been silent');
    expect(run.message).not.to.include('hst_2');
    await fixture.host.beat();
    await settled(id, 1, 'COMPLETED');
    expect(await launched()).to.deep.equal(['hst_1']);
  });

  it('wait for a directory, for a harness, and until a host is uncordoned', async () => {
    const { id } = await create();
    fixture.host.directories.delete('/repo');
    await pass(60 * minute, true);
    await waitingFor(id, 'hst_1.example has no directory');
    fixture.host.directories.set('/repo', true);
    fixture.host.harnesses = ['shell'];
    await pass(6_000, true);
    await waitingFor(id, 'hst_1.example has no claude');
    await fixture.call('DrainHost', { hostId: 'hst_1' });
    await waitingFor(id, 'hst_1.example is cordoned');
    fixture.host.harnesses = ['claude', 'shell'];
    await fixture.call('DrainHost', { hostId: 'hst_1', undo: true });
    await fixture.host.beat();
    await settled(id, 1, 'COMPLETED');
    expect(await launched()).to.deep.equal(['hst_1']);
  });

  it('wait for a host that does not answer', async () => {
    const { id } = await create();
    await fixture.host.fallSilent();
    await pass(60 * minute, true);
    const run = await waitingFor(id, 'hst_1.example does not answer');
    expect(run.attempt).to.equal(0);
    const { schedule } = await fixture.call<{ schedule: Schedule }>('GetSchedule', { scheduleId: id });
    expect(schedule.latestRun).to.deep.equal(run);
  });

  it('count as missed by their policy', async () => {
    const once = await create({ name: 'once' });
    const all = await create({ name: 'all', missed: 'MISSED_POLICY_RUN_ALL', catchUpSeconds: 2 * 3600 });
    const none = await create({ name: 'none', missed: 'MISSED_POLICY_SKIP' });
    await lose();
    await pass(59 * minute);
    for (const { id } of [once, all, none]) await settled(id, 1, 'PENDING');
    await pass(2 * minute);
    const [skipped] = await settled(none.id, 1, 'CANCELLED');
    expect(skipped?.message).to.match(/skips missed times; it waited for a host that can take it: /);
    for (let hours = 1; hours <= 3; hours += 1) {
      await pass(60 * minute);
      for (const { id } of [once, all]) {
        await moment(`occurrence ${hours} is on record`, async () => (await runs(id)).length === hours + 1);
      }
    }
    const superseded = await settled(once.id, 3, 'CANCELLED');
    for (const { message } of superseded) expect(message).to.match(/^missed: a later one runs in its place; it waited/);
    const [late] = await settled(all.id, 2, 'CANCELLED');
    expect(late?.message).to.match(/^missed: .* more than its catch-up limit of 7200 s; it waited/);
    await fixture.host.beat();
    await settled(once.id, 1, 'COMPLETED');
    await settled(all.id, 2, 'COMPLETED');
  });

  inSoak('wait without a limit if a person fired or retried them', async () => {
    const { id } = await create({ paused: true, missed: 'MISSED_POLICY_SKIP' });
    await lose();
    const { run } = await fixture.call<{ run: Run }>('FireSchedule', { scheduleId: id });
    await settled(id, 1, 'PENDING');
    await pass(3 * 24 * 60 * minute);
    await settled(id, 1, 'PENDING');
    await fixture.call('RetryScheduleRun', { runId: run.id });
    await waitingFor(id, 'no directory');
    await fixture.host.beat();
    await settled(id, 1, 'COMPLETED');
  });

  inSoak('delay no other, however many they are', async () => {
    const pinned = await fixture.workflow({ name: 'pinned', provisionEnabled: false, host: 'hst_1' });
    await lose();
    const many = await create({ workflowId: pinned.id, cron: '* * * * *', missed: 'MISSED_POLICY_RUN_ALL' });
    await pass(220 * minute);
    await moment('they all wait', async () => {
      const found = await fixture.store.read(({ firings }) => firings.liveOf(many.id));
      return found.length > 210 && found.every(({ state }) => state === 'pending');
    });
    other.directories.set('/there', true);
    const there = await fixture.workflow({ name: 'there', cwd: '/there', provisionEnabled: false });
    other.directories.delete('/there');
    const { id } = await create({ name: 'behind', paused: true, workflowId: there.id });
    await fixture.call('FireSchedule', { scheduleId: id });
    await waitingFor(id, 'hst_2.example has no directory "/there"');
    other.directories.set('/there', true);
    await pass(6_000);
    await settled(id, 1, 'COMPLETED');
    expect(await launched()).to.deep.equal(['hst_2']);
  });
});
