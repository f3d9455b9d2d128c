import { mendClock } from './clock-mending.ts';
import { HostSearch } from './host-search.ts';
import type { ScheduleScope } from './schedule-scope.ts';
import { reckonAnew, scheduleRound } from './scheduler.ts';
import { WaitingFirings } from './waiting-firings.ts';
import { FiringWorker } from './worker.ts';

/** How often it is looked whether something is due, and whether the clock was set back, in milliseconds. */
const every = { due: 250, clock: 30_000 } as const;

/** After how many rounds without a pause the worker has its turn too. */
const flood = 20;

/** Schedules at work. */
export interface Schedules {
  stop(): Promise<void>;
}

/** Fires schedules and launches their agents until it is stopped. `keepTime` goes with a clock that was set. */
export function startSchedules(scope: ScheduleScope, keepTime: () => Promise<void>): Schedules {
  const search = new HostSearch(scope);
  const worker = new FiringWorker(scope, search);
  const waiting = new WaitingFirings(scope, search);
  let looking: Promise<void> | undefined;
  let asking: Promise<void> | undefined;
  let stopped = false;
  let mended = Number.NEGATIVE_INFINITY;
  const round = async (): Promise<void> => {
    await keepTime();
    if (mended === Number.NEGATIVE_INFINITY) await reckonAnew(scope);
    if (Math.abs(scope.clock.now() - mended) >= every.clock) {
      await mendClock(scope);
      mended = scope.clock.now();
    }
    // What is due is put on record first, and only in a flood are agents launched meanwhile.
    for (let rounds = 1; !stopped && (await scheduleRound(scope)); rounds += 1) {
      if (rounds % flood === 0) void worker.look().catch(told);
    }
    await worker.look();
  };
  const told = (error: unknown): void => scope.log.error({ err: error }, 'schedules could not be looked at');
  const look = (): void => {
    if (stopped) return;
    looking ??= round()
      .catch(told)
      .finally(() => {
        looking = undefined;
      });
    // Beside the rest: a host that does not answer holds up nobody but those that wait.
    asking ??= waiting
      .look()
      .catch(told)
      .finally(() => {
        asking = undefined;
      });
  };
  look();
  const timer = setInterval(look, every.due);
  return {
    async stop() {
      clearInterval(timer);
      stopped = true;
      await looking;
      await asking;
      await worker.stop();
    },
  };
}
