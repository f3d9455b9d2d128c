import { expect } from 'chai';
import { figuresSubject, instanceSubject } from '#bus/subjects.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Schedule, ScheduleRun } from '#contract/schedule.ts';
import type { RegistryFigures } from '#contract/wire/figures.ts';
import { clockSteps } from '#store/database/clock-steps.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('a clock that is set', () => {
  let fixture: RegistryFixture;
  let hung: PromiseWithResolvers<void>;
  beforeEach(() => {
    hung = Promise.withResolvers();
  });
  afterEach(async () => {
    hung.resolve();
    await fixture.close();
  });

  const follow = async () => {
    await moment('the registries follow', () =>
      fixture.steadyClocks.every((steady) => steady.now() === fixture.clock.now()),
    );
    await fixture.host.beat();
  };
  const dueIn = async (ownerId: string) => {
    const due = await fixture.store.read(({ deadlines }) => deadlines.of({ owner: 'agent', ownerId }));
    return due.map(({ dueAt }) => dueAt - fixture.clock.now());
  };

  it('neither ends a step nor prolongs it', async () => {
    fixture = await registryFixture();
    const { id } = await fixture.create({ provisionEnabled: false });
    expect(await dueIn(id)).to.deep.equal([minute]);
    for (const by of [hour, -hour, -24 * hour, 24 * hour]) {
      fixture.clock.step(by);
      await follow();
      expect(await dueIn(id), String(by)).to.deep.equal([minute]);
      const { agent } = await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId: id });
      expect(agent.agent?.state).to.equal('AGENT_STATE_SETTING_UP');
    }
    // In steps: a host that is silent for long puts its agents' deadlines off.
    for (let passed = 0; passed < minute; passed += 5_000) {
      fixture.clock.pass(5_000);
      await fixture.host.beat();
    }
    await moment('it is late', async () => {
      const { agent } = await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId: id });
      return agent.agent?.state === 'AGENT_STATE_FAILED_TO_CREATE';
    });
  });

  it('is followed once by registries of one database, also by one that hung meanwhile', async function () {
    fixture = await registryFixture({ beforeClock: (at) => (at === 0 ? Promise.resolve() : hung.promise) });
    if (fixture.steadyClocks.length === 1) this.skip();
    const { id } = await fixture.create({ provisionEnabled: false });
    fixture.clock.step(hour);
    await moment('the first follows', () => fixture.steadyClocks[0]?.now() === fixture.clock.now());
    fixture.clock.pass(20_000);
    expect(await dueIn(id)).to.deep.equal([40_000]);
    hung.resolve();
    await follow();
    expect(await dueIn(id)).to.deep.equal([40_000]);
    fixture.clock.step(-hour);
    await follow();
    expect(await dueIn(id)).to.deep.equal([40_000]);
  });

  it('leaves due rows to registries that have followed it', async function () {
    let isLooked = true;
    fixture = await registryFixture({ beforeClock: async () => isLooked });
    if (fixture.steadyClocks.length === 1) this.skip();
    const { id } = await fixture.create({ provisionEnabled: false });
    const { runs } = await scheduled('* * * * *');
    isLooked = false;
    // Another registry has moved all times, and these have not noticed yet that the clock was set.
    await fixture.store.write(({ settings }) => settings.put(clockSteps, String(hour)));
    for (let passed = 0; passed < minute; passed += 5_000) {
      fixture.clock.pass(5_000);
      await fixture.host.beat();
    }
    const passes = async () => {
      const all = await Promise.all(
        fixture.instances.map(async (instance) => {
          const subject = instanceSubject(figuresSubject, instance);
          const { pollers } = (await fixture.gateway.request(subject, {}, { timeoutMs: 5_000 })) as RegistryFigures;
          return ['deadlines', 'schedules'].map((name) => pollers[name]?.passes.count ?? 0);
        }),
      );
      return all.flat();
    };
    const before = await passes();
    await moment('each has looked again', async () =>
      (await passes()).every((count, at) => count > (before[at] ?? 0) + 1),
    );
    expect([...(await runs()).keys()]).to.deep.equal([]);
    expect(await dueIn(id)).to.deep.equal([0]);
    isLooked = true;
    await moment('it fires', async () => (await runs()).get(at('09:01')) !== undefined);
    await moment('the deadline is taken', async () => (await dueIn(id)).every((due) => due > 0));
  });

  /** A schedule, what is on record of it by its occurrences, and when it fires next. */
  async function scheduled(cron: string) {
    const { id: workflowId } = await fixture.workflow({ provisionEnabled: false });
    const given = {
      workflowId,
      name: 'tidy',
      cron,
      timezone: 'UTC',
      prompt: 'Tidy up',
      overlap: 'OVERLAP_POLICY_ALLOW',
    };
    const { schedule } = await fixture.call<{ schedule: Schedule }>('CreateSchedule', given);
    const scheduleId = schedule.id;
    return {
      runs: async () => {
        const asked = { scheduleId, pagination: { pageSize: 200 } };
        const { runs: found } = await fixture.call<{ runs: ScheduleRun[] }>('ListScheduleRuns', asked);
        return new Map(found.map(({ scheduledFor = '', state }) => [scheduledFor, state?.replace(/^.*STATE_/, '')]));
      },
      nextAt: async () => {
        const { schedule: now } = await fixture.call<{ schedule: Schedule }>('GetSchedule', { scheduleId });
        return now.nextRunAt;
      },
    };
  }
  const at = (time: string) => `2026-11-21T${time}:00.000Z`;

  it('loses no firing if it is set back: each unrecorded one fires', async () => {
    fixture = await registryFixture();
    const { runs, nextAt } = await scheduled('*/10 * * * *');
    fixture.clock.pass(10 * minute);
    await fixture.host.beat();
    await moment('it fired', async () => (await runs()).get(at('09:10')) === 'COMPLETED');
    fixture.clock.step(-hour);
    await follow();
    await moment('it is mended', async () => (await nextAt()) === at('08:20'));
    const fired = ['08:20', '08:30', '08:40', '08:50', '09:00', '09:10', '09:20'];
    for (const time of fired) {
      fixture.clock.pass(10 * minute);
      await fixture.host.beat();
      await moment(time, async () => (await runs()).get(at(time)) === 'COMPLETED');
    }
    expect([...(await runs()).keys()].toSorted()).to.deep.equal(fired.map(at));
  });

  it('loses no firing if it was ahead: occurrences recorded as missed fire at their time', async () => {
    fixture = await registryFixture();
    const { runs, nextAt } = await scheduled('* * * * *');
    fixture.clock.step(hour);
    await follow();
    await moment('the hour is on record', async () => (await runs()).get('2026-11-21T10:00:00.000Z') === 'COMPLETED');
    expect((await runs()).get('2026-11-21T09:30:00.000Z')).to.equal('CANCELLED');
    fixture.clock.step(-hour);
    await follow();
    await moment('it is mended', async () => (await nextAt()) === '2026-11-21T09:01:00.000Z');
    expect([...(await runs()).keys()]).to.deep.equal(['2026-11-21T10:00:00.000Z']);
    fixture.clock.pass(minute);
    await fixture.host.beat();
    await moment('it fires', async () => (await runs()).get('2026-11-21T09:01:00.000Z') !== undefined);
    expect(await nextAt()).to.equal('2026-11-21T09:02:00.000Z');
  });
});
