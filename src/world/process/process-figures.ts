import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { memoryUsage, resourceUsage } from 'node:process';
import type { ProcessFigures } from '#contract/wire/figures.ts';
import { unhandledErrors } from '#world/unhandled-errors.ts';

/** Milliseconds between two looks at how late the event loop is, and how often what it showed is started over. */
const lookEvery = 20;
const beginAnewAfter = 10_000;

/** Reads what this process takes of its machine, until it is stopped. */
export class ProcessGauge {
  readonly #delay = monitorEventLoopDelay({ resolution: lookEvery });
  #begunAt = performance.now();

  constructor() {
    this.#delay.enable();
  }

  /** The event loop's delay is that of the last ten to twenty seconds, however many read it. */
  read(): ProcessFigures {
    const { userCPUTime, systemCPUTime } = resourceUsage();
    const figures = {
      residentBytes: memoryUsage.rss(),
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      startedAt: performance.timeOrigin / 1_000,
      eventLoopDelay: Math.max(0, this.#delay.percentile(99) / 1e9 - lookEvery / 1_000),
      unhandledErrors: unhandledErrors.count,
    };
    if (performance.now() - this.#begunAt > beginAnewAfter) {
      this.#delay.reset();
      this.#begunAt = performance.now();
    }
    return figures;
  }

  stop(): void {
    this.#delay.disable();
  }
}
