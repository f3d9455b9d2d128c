import { change } from '#actors/registry/agent/change.ts';
import type { WriteScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { advanceFiring } from './firings.ts';
import { nextOccurrence } from './occurrences.ts';
import type { ScheduleScope } from './schedule-scope.ts';

type Scope = WriteScope & Pick<ScheduleScope, 'clockSteps'>;

const minute = 60_000;
/** How many schedules and firings are read at once. */
const atOnce = { schedules: 1_000, firings: 1_000 } as const;
/** Occurrences decided further ahead than this, in milliseconds, were decided while the clock was ahead. */
const maxAhead = 5_000;
/**
 * The longest time that a firing can wait, by state, in milliseconds. If it is to wait longer, the clock was set back.
 */
const longestWaits: Readonly<Record<string, number>> = {
  running: 2 * minute,
  cancelling: 2 * minute,
  retryable: 15 * minute,
};
const longestWait = 25 * 60 * minute;
/** How soon a firing that would wait too long continues, in milliseconds. */
const resumesAfter = 1_000;

/** Shifts leases and retries of firings by as many milliseconds as the clock was set by. */
export async function shiftFirings(writing: Change, by: number): Promise<void> {
  for await (const firing of writing.tables.firings.ahead(0, atOnce.firings)) {
    await advanceFiring(writing, firing, { type: 'CLOCK_SET', by });
  }
}

/**
 * Corrects what was decided while the clock was ahead. Future occurrences fire when they are due, also those that were
 * recorded as missed. If one has already launched an agent, that stays its firing.
 */
export async function correctForClock(scope: Scope): Promise<void> {
  while ((await change(scope, (writing) => correctSchedules(writing, scope))) === atOnce.schedules);
  await change(scope, (writing) => correctFirings(writing, scope));
}

/** Corrects some of the schedules that were decided while the clock was ahead; returns how many. */
async function correctSchedules({ tables, now }: Change, { clockSteps }: Scope): Promise<number> {
  if (!(await clockSteps.isCurrent(tables))) return 0;
  const ahead = await tables.schedules.ahead(now + maxAhead, atOnce.schedules);
  for (const schedule of ahead) {
    const nextAt = schedule.nextAt === null ? null : (nextOccurrence(schedule, now) ?? null);
    await tables.firings.forgetAhead(schedule.id, now);
    await tables.schedules.advance(schedule.id, { decidedUpTo: now, nextAt });
  }
  return ahead.length;
}

async function correctFirings(writing: Change, { clockSteps }: Scope): Promise<void> {
  const { tables, now } = writing;
  if (!(await clockSteps.isCurrent(tables))) return;
  for await (const firing of tables.firings.ahead(now + 2 * minute, atOnce.firings)) {
    if ((firing.dueAt ?? 0) - now <= (longestWaits[firing.state] ?? longestWait)) continue;
    const reason = 'the clock was set back';
    await advanceFiring(writing, firing, { type: 'DUE', now: firing.dueAt ?? now, until: now + resumesAfter, reason });
  }
}
