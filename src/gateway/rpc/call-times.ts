import { Failure } from '#contract/failure.ts';
import { Histogram, type HistogramReading } from '#contract/histogram.ts';
import { type Operation, pathOf } from '#contract/operation.ts';
import type { FailureCode } from '#contract/reason/failure-code.ts';
import type { Tracer } from '#contract/tracer.ts';

/** The channel of a call. */
export type Channel = 'rpc' | 'mcp';

/** The counters of one operation on one channel. */
export interface CallFigures {
  readonly operation: string;
  readonly channel: Channel;
  readonly times: HistogramReading;
  /** The number of calls by code; `ok` for success. */
  readonly codes: Readonly<Record<string, number>>;
}

interface CallCounters {
  readonly operation: string;
  readonly channel: Channel;
  readonly times: Histogram;
  readonly codes: Partial<Record<FailureCode | 'ok', number>>;
}

/**
 * Measures calls by operation, channel and result. Private operations are omitted, also from traces, because readers of
 * the metrics would otherwise see a review being written, comment by comment.
 */
export class CallTimes {
  readonly #counters = new Map<string, CallCounters>();
  readonly #tracer: Tracer | undefined;

  constructor(tracer?: Tracer) {
    this.#tracer = tracer;
  }

  /**
   * Runs a call and records how long it took. A failure is recorded with its code and rethrown. `parent` is the
   * caller's trace, as a W3C traceparent.
   */
  async time<T>(row: Operation, channel: Channel, work: () => Promise<T>, parent?: string): Promise<T> {
    if (row.private) return work();
    const started = performance.now();
    let code: FailureCode | 'ok' = 'ok';
    try {
      const spec = { name: pathOf(row), kind: 'server', parent, attributes: { 'muster.channel': channel } } as const;
      return await (this.#tracer === undefined ? work() : this.#tracer.span(spec, work));
    } catch (error) {
      code = error instanceof Failure ? error.code : 'internal';
      throw error;
    } finally {
      this.#note(row.method, channel, code, (performance.now() - started) / 1_000);
    }
  }

  read(): readonly CallFigures[] {
    return [...this.#counters.values()].map(({ times, codes, ...of }) => ({
      ...of,
      times: times.read(),
      codes: { ...codes },
    }));
  }

  #note(operation: string, channel: Channel, code: FailureCode | 'ok', seconds: number): void {
    const key = `${operation} ${channel}`;
    const known = this.#counters.get(key) ?? { operation, channel, times: new Histogram(), codes: {} };
    this.#counters.set(key, known);
    known.times.observe(seconds);
    known.codes[code] = (known.codes[code] ?? 0) + 1;
  }
}
