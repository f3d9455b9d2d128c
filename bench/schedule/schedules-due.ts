import { join } from 'node:path';
import { FollowedSteps } from '#actors/registry/kernel/followed-steps.ts';
import { Waiters } from '#actors/registry/kernel/waiters.ts';
import type { RegistryScope } from '#actors/registry/registry-scope.ts';
import { startSchedules } from '#actors/registry/schedule/schedules.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import type { NewFiring } from '#store/schedule/firing-table.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore, type Store } from '#store/store.ts';
import { seedSchedules } from '#test/crash/schedule-storm.ts';
import { noPeers } from '#test/support/no-peers.ts';
import { testIds } from '#test/support/test-clock.ts';
import { steadyTimer } from '#world/concurrency/timer.ts';
import { openLog } from '#world/log.ts';
import type { Homes } from '../stage/homes.ts';
import { report } from '../stage/report.ts';

const minute = 60_000;

/**
 * Measures how long after schedules are due their firings are AVAILABLE on disk, including the wait for the scheduler's
 * next poll and the launches between its writes.
 */
export async function benchSchedulesDue(homes: Homes, [count = 10_000]: readonly number[]): Promise<void> {
  const home = homes.folder();
  const file = join(home, 'due.db');
  const began = Date.UTC(2026, 10, 21, 9);
  await seedSchedules(file, count, began);
  // Before they are due, the scheduler has time to check each of them again.
  const start = performance.now() + 4_000 - minute;
  const clock = { now: () => began + performance.now() - start };
  const store = await openStore({
    engine: new SqliteEngine(file),
    clock: { now: () => Math.floor(clock.now()) },
    viewOf,
  });
  const late: number[] = [];
  const all = Promise.withResolvers<void>();
  const watched = watch(store, (written) => {
    for (const one of written) if (one.state === 'available') late.push(clock.now() - one.scheduledFor);
    if (late.length >= count) all.resolve();
  });
  const log = openLog({ name: 'due', level: 'silent', folder: home });
  const whole = { now: () => Math.floor(clock.now()) };
  const own = { timer: steadyTimer(), log, work: new WorkFigures() };
  const scope = {
    ...own,
    store: watched,
    clock: whole,
    ids: testIds(),
    waiters: new Waiters(whole, noPeers),
    clockSteps: new FollowedSteps(0),
  };
  // Their workflow does not exist: the worker claims each firing, finds that out, and ends it without further calls.
  const schedules = startSchedules(scope as Partial<RegistryScope> as RegistryScope, async () => {});
  try {
    await all.promise;
  } finally {
    await schedules.stop();
    await store.close();
  }
  late.sort((one, other) => one - other);
  const at = (share: number) => `${Math.round(late[Math.ceil(late.length * share) - 1] ?? 0)} ms`;
  report(
    'Firings due at one moment',
    `${count} schedules; time until AVAILABLE`,
    ['P50', 'P99', 'LAST'],
    [[at(0.5), at(0.99), at(1)]],
  );
}

/** A store that reports the firings of each write once they are on disk. */
function watch(store: Store, hear: (written: readonly NewFiring[]) => void): Store {
  return {
    ...store,
    async write(work) {
      let written: readonly NewFiring[] = [];
      const done = await store.write((tables) => {
        const { instances } = tables;
        const begin = instances.begin.bind(instances);
        const heard: typeof begin = async (machine, instances) => {
          if (machine === 'firing') written = instances.map(({ row }) => row as NewFiring);
          return begin(machine, instances);
        };
        Object.assign(instances, { begin: heard });
        return work(tables);
      });
      hear(written);
      return done;
    },
  };
}
