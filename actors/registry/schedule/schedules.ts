import { LeasedWorker } from '#actors/worker/leased-worker.ts';
import { Poller } from '#actors/worker/poller.ts';
import { QuietSpan } from '#actors/worker/quiet-span.ts';
import type { Service } from '#actors/worker/service.ts';
import { correctForClock } from './clock-correction.ts';
import { FiringWork } from './firing-work.ts';
import { HostSearch } from './host-search.ts';
import type { ScheduleScope } from './schedule-scope.ts';
import { recompute, scheduleRound } from './scheduler.ts';
import { WaitingFirings } from './waiting-firings.ts';

/** How often to check for due work, and for a clock that was set back, in milliseconds. */
const every = { due: 250, clock: 30_000 } as const;

/** After how many rounds in a row the worker starts launches meanwhile. */
const flood = 20;

/** When the next occurrence, firing or lease is due, in milliseconds; undefined if none is. */
function nextDue({ store }: ScheduleScope): Promise<number | undefined> {
  return store.read(async ({ schedules, firings }) => {
    if ((await firings.inState('available', 1)).length > 0) return 0;
    const [schedule] = await schedules.soonest(1);
    const due = [schedule?.nextAt ?? undefined, await firings.nextDue()].filter((at) => at !== undefined);
    return due.length === 0 ? undefined : Math.min(...due);
  });
}

/**
 * Fires schedules and launches their agents. `keepTime` is called before each pass, and follows a clock that was set.
 */
export function startSchedules(scope: ScheduleScope, keepTime: () => Promise<void>): Service {
  const search = new HostSearch(scope);
  const worker = new LeasedWorker(new FiringWork(scope, search), scope);
  const waiting = new WaitingFirings(scope, search);
  const quiet = new QuietSpan(scope);
  let correctedAt = Number.NEGATIVE_INFINITY;
  const pass = async (signal: AbortSignal): Promise<void> => {
    await keepTime();
    if (correctedAt === Number.NEGATIVE_INFINITY) await recompute(scope);
    if (Math.abs(scope.clock.now() - correctedAt) >= every.clock) {
      await correctForClock(scope);
      correctedAt = scope.clock.now();
    }
    if (!(await quiet.isOver(() => nextDue(scope)))) return;
    // Record what is due first. Only if that takes many rounds, launch agents meanwhile.
    for (let rounds = 1; !signal.aborted && (await scheduleRound(scope)); rounds += 1) {
      if (rounds % flood === 0) void worker.fill().catch(() => undefined);
    }
    await worker.fill();
  };
  const schedules = new Poller({ name: 'schedules', every: every.due, pass }, scope).start();
  // A poller of its own, so that a host which does not answer delays only the firings that wait.
  const asking = { name: 'waiting firings', every: every.due, pass: () => waiting.look() };
  const waiters = new Poller(asking, scope).start();
  return {
    async stop() {
      await Promise.all([schedules.stop(), waiters.stop()]);
      await worker.stop();
    },
  };
}
