import type { Log } from '#contract/process-context.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { WorkFigures } from './work-figures.ts';

/** The dependencies of pollers and workers. */
export interface WorkScope {
  /** Measures pauses and leases. It never steps. */
  readonly timer: Timer;
  readonly log: Log;
  readonly work: WorkFigures;
}
