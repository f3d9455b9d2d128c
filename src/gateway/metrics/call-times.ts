import { Failure, type FailureCode } from '#contract/failure.ts';
import { Histogram } from '#contract/histogram.ts';
import { type Operation, pathOf } from '#contract/operation.ts';
import type { Tracer } from '#contract/tracer.ts';
import type { Sample } from './exposition.ts';

/** How a call came in. */
export type Channel = 'rpc' | 'mcp';

/**
 * How long calls took, by operation, channel and what came of them. Those that are nobody’s to know but their caller’s are
 * left out, of the traces too: whoever may read the metrics would see a review being written, comment by comment.
 */
export class CallTimes {
  readonly #times = new Map<string, { readonly labels: Readonly<Record<string, string>>; readonly times: Histogram }>();

  readonly #tracer: Tracer | undefined;

  constructor(tracer?: Tracer) {
    this.#tracer = tracer;
  }

  /**
   * Does the work of one call and notes how long it took; a failure is noted under its code and thrown on. `parent` is the
   * trace that its caller has begun, as W3C's traceparent.
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
      this.#note({ operation: row.method, channel, code }, (performance.now() - started) / 1_000);
    }
  }

  read(): readonly Sample[] {
    return [...this.#times.values()].map(({ labels, times }) => ({ labels, value: times.read() }));
  }

  #note(labels: Readonly<Record<string, string>>, seconds: number): void {
    const key = Object.values(labels).join(' ');
    const known = this.#times.get(key) ?? { labels, times: new Histogram() };
    this.#times.set(key, known);
    known.times.observe(seconds);
  }
}
