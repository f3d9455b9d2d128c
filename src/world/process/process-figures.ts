import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { memoryUsage, resourceUsage } from 'node:process';
import type { ProcessFigures } from '#contract/wire/figures.ts';
import { unhandledErrors } from '#world/unhandled-errors.ts';

/**
 * How often the event loop's delay is measured, and how often the record of it starts over, in milliseconds. Each
 * measurement wakes this process: every 20 ms, they would be most of what wakes an idle one.
 */
const lookEvery = 100;
const beginAnewAfter = 10_000;

/** Measures what this process uses of its machine, until it is stopped. */
export class ProcessGauge {
  readonly #delay = monitorEventLoopDelay({ resolution: lookEvery });
  #begunAt = performance.now();

  constructor() {
    this.#delay.enable();
  }

  /** The event loop's delay since the record last started over, regardless of how many callers read it. */
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
