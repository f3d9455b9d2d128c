import type { Log } from '#contract/process-context.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { WorkFigures } from './work-figures.ts';

/** What pollers and workers run on. */
export interface WorkScope {
  /** Times pauses and leases: it never steps. */
  readonly timer: Timer;
  readonly log: Log;
  readonly work: WorkFigures;
}
