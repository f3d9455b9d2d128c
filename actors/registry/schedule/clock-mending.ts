import { change } from '#actors/registry/agent/change.ts';
import type { WritingScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { advanceFiring } from './firings.ts';
import { nextOccurrence } from './occurrences.ts';

const minute = 60_000;
/** How many schedules and firings are read at once. */
const atOnce = { schedules: 1_000, firings: 1_000 } as const;
/** What is decided for times that are further ahead was decided while the clock was ahead, in milliseconds. */
const maxAhead = 5_000;
/** A firing waits no longer than this unless the clock was set back, by its state, in milliseconds. */
const longestWaits: Readonly<Record<string, number>> = {
  running: 2 * minute,
  cancelling: 2 * minute,
  retryable: 15 * minute,
};
const longestWait = 25 * 60 * minute;
/** How soon a firing that waits for too long continues. */
const goesOnAfter = 1_000;

/** Keeps leases and later tries of firings as far away as they are while the clock is set by this many milliseconds. */
export async function keepWaiting(writing: Change, by: number): Promise<void> {
  for await (const firing of writing.tables.firings.ahead(0, atOnce.firings)) {
    await advanceFiring(writing, firing, { type: 'CLOCK_SET', by });
  }
}

/**
 * Fixes what was decided while the clock was ahead, as it is on record. Occurrences that are still to come fire when
 * they do, also those that were put on record as missed; what was launched for one stays its firing.
 */
export async function mendClock(scope: WritingScope): Promise<void> {
  while ((await change(scope, mendSchedules)) === atOnce.schedules);
  await change(scope, mendFirings);
}

/** Fixes some of the schedules that were decided while the clock was ahead; returns how many. */
async function mendSchedules({ tables, now }: Change): Promise<number> {
  const ahead = await tables.schedules.ahead(now + maxAhead, atOnce.schedules);
  for (const schedule of ahead) {
    const nextAt = schedule.nextAt === null ? null : (nextOccurrence(schedule, now) ?? null);
    await tables.firings.forgetAhead(schedule.id, now);
    await tables.schedules.advance(schedule.id, { decidedUpTo: now, nextAt });
  }
  return ahead.length;
}

async function mendFirings(writing: Change): Promise<void> {
  const { tables, now } = writing;
  for await (const firing of tables.firings.ahead(now + 2 * minute, atOnce.firings)) {
    if ((firing.dueAt ?? 0) - now <= (longestWaits[firing.state] ?? longestWait)) continue;
    const reason = 'the clock was set back';
    await advanceFiring(writing, firing, { type: 'DUE', now: firing.dueAt ?? now, until: now + goesOnAfter, reason });
  }
}
