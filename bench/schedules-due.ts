import { join } from 'node:path';
import { scheduleRound } from '#actors/registry/schedules/scheduler.ts';
import { Waiters } from '#actors/registry/waiters.ts';
import { viewOf } from '#machines/agent-view.ts';
import { openStore } from '#store/store.ts';
import { seedSchedules } from '#test/crash/schedule-storm.ts';
import { testIds } from '#test/support/test-clock.ts';
import { openLog } from '#world/log.ts';
import type { Homes } from './homes.ts';
import { report } from './report.ts';

/** How long it takes until the firings of schedules that come due at one moment are AVAILABLE. */
export async function benchSchedulesDue(homes: Homes, [count = 10_000]: readonly number[]): Promise<void> {
  const home = homes.folder();
  const file = join(home, 'due.db');
  const began = Date.UTC(2026, 10, 21, 9);
  await seedSchedules(file, count, began);
  let now = began;
  const clock = { now: () => now };
  const store = await openStore({ file, clock, viewOf });
  const log = openLog({ name: 'due', level: 'silent', folder: home });
  const scope = { store, clock, bus: undefined as never, log, ids: testIds(), waiters: new Waiters(clock) };
  const late: number[] = [];
  try {
    now = began + 60_000;
    const start = performance.now();
    for (let more = true, seen = 0; more; ) {
      more = await scheduleRound(scope);
      const found = Math.min(count, seen + 500);
      for (; seen < found; seen += 1) late.push(performance.now() - start);
    }
  } finally {
    await store.close();
  }
  const at = (share: number) => `${Math.round(late[Math.ceil(late.length * share) - 1] ?? 0)} ms`;
  report(
    'Firings due at one moment',
    `${count} schedules; time until AVAILABLE`,
    ['P50', 'P99', 'LAST'],
    [[at(0.5), at(0.99), at(1)]],
  );
}
