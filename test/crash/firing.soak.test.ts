import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import type { Schedule, ScheduleRun } from '#contract/schedule.ts';
import { moment } from '#test/support/moment.ts';
import { type Fleet, settled, startFleet } from './fleet.ts';
import { movedTime } from './moved-time.ts';

const registryProgram = fileURLToPath(new URL('./registry-process.ts', import.meta.url));
const service = 'schedule.v1.ScheduleService';
const hour = 3_600_000;

/** The commits of a firing that is taken up and launches its agent, at either side of which the registry can die. */
const traps = ['before-commit running', 'after-commit running', 'before-commit completed', 'after-commit completed'];

/** How long a firing in a state waits at most: for a lease to end, and for the next try. */
const waits: Readonly<Record<string, number>> = {
  SCHEDULE_RUN_STATE_RUNNING: 30_000,
  SCHEDULE_RUN_STATE_RETRYABLE: 1_000,
};

describe('a firing on a clock that the test sets', () => {
  let fleet: Fleet;
  let clock: ReturnType<typeof movedTime>;
  before(async () => {
    fleet = await startFleet(registryProgram);
    clock = movedTime(fleet.home);
  });
  after(() => fleet.stop());

  /** Makes a schedule whose next occurrence is an hour away. */
  const schedule = async (name: string) => {
    const { schedule: made } = await fleet.call<{ schedule: Schedule & { id: string } }>(`${service}/CreateSchedule`, {
      name,
      cron: '0 * * * *',
      timezone: 'UTC',
      prompt: `echo ran >> ${join(fleet.home, `${name}.ran`)}`,
      workflowId: fleet.workflowId,
    });
    return made;
  };
  const runs = async (scheduleId: string) =>
    (await fleet.call<{ runs?: ScheduleRun[] }>(`${service}/ListScheduleRuns`, { scheduleId })).runs ?? [];
  const launched = async (scheduleId: string) => {
    const { agents = [] } = await fleet.call<{ agents?: AgentRow[] }>('agent.v1.AgentService/ListAgents', {
      pagination: { pageSize: 200 },
    });
    return agents.flatMap(({ agent }) => (agent?.scheduleId === scheduleId ? [agent] : []));
  };

  /** Advances the clock while the host beats. A plain jump would make the host count as away. */
  const pass = async (milliseconds: number) => {
    clock.pass(milliseconds - 1_000);
    await moment('the host is heard of', async () => {
      const { hosts = [] } = await fleet.call<{ hosts?: Host[] }>('host.v1.HostService/ListHosts', {});
      return hosts.every(
        ({ state, seenAt = '' }) => state === 'HOST_STATE_ONLINE' && Date.parse(seenAt) === clock.now(),
      );
    });
    clock.pass(1_000);
  };

  /**
   * Waits until the firing has ended, and lets the time pass that it needs: a worker that died is given up when its
   * lease ends.
   */
  const ended = (scheduleId: string, died: boolean) => {
    const seen = new Set<string>();
    const probe = async () => {
      const [run] = await runs(scheduleId);
      if (run?.finalizedAt !== undefined) return run;
      const state = run?.state ?? '';
      if (!died || seen.has(state) || waits[state] === undefined) return undefined;
      seen.add(state);
      await pass(waits[state]);
      return undefined;
    };
    return moment('the firing has ended', probe);
  };

  /**
   * Lets a schedule fire, and checks what must hold then: one firing, one live agent in one window, its prompt run
   * once.
   */
  const fires = async (name: string, trap?: string) => {
    const { id, nextRunAt } = await schedule(name);
    expect(Date.parse(nextRunAt ?? '')).to.equal(clock.now() + hour);
    expect(await runs(id)).to.deep.equal([]);
    if (trap !== undefined) writeFileSync(join(fleet.home, 'registry-trap'), trap);
    await pass(hour);
    if (trap !== undefined) {
      await fleet.ended('registry');
      await fleet.start('registry');
    }
    const run = await ended(id, trap !== undefined);
    expect(run).to.include({ state: 'SCHEDULE_RUN_STATE_COMPLETED', scheduledFor: nextRunAt });
    const [agent, ...others] = await launched(id);
    expect(others).to.deep.equal([]);
    expect(agent?.id).to.equal(run.agentId);
    expect(await settled(fleet, run.agentId ?? '')).to.include({ alive: true, scheduleId: id });
    await moment('its prompt was run', () => fleet.briefings(name) > 0);
    await fleet.checkAll();
    expect(await runs(id)).to.have.length(1);
    await fleet.call(`${service}/DeleteSchedule`, { scheduleId: id });
    clock.pass(hour - (clock.now() % hour));
    return run;
  };

  it('launches one agent in a real terminal', async () => {
    expect(await fires('plain')).to.include({ attempt: 1 });
  });

  for (const [index, trap] of traps.entries()) {
    it(`launches one agent if the registry is killed ${trap}`, async () => {
      const run = await fires(`killed-${index}`, trap);
      // Where it was taken up and nothing more, or launched and not committed, another try was needed.
      expect(run.attempt).to.equal(trap === 'after-commit running' || trap === 'before-commit completed' ? 2 : 1);
    });
  }
});
