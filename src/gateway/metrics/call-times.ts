import { Failure, type FailureCode } from '#contract/failure.ts';
import { Histogram } from '#contract/histogram.ts';
import type { Operation } from '#contract/operation.ts';
import type { Sample } from './exposition.ts';

/** How a call came in. */
export type Channel = 'rpc' | 'mcp';

/**
 * How long calls took, by operation, channel and what came of them. Those that are nobody’s to know but their caller’s are
 * left out: whoever may read the metrics would see a review being written, comment by comment.
 */
export class CallTimes {
  readonly #times = new Map<string, { readonly labels: Readonly<Record<string, string>>; readonly times: Histogram }>();

  /** Does the work of one call and notes how long it took; a failure is noted under its code and thrown on. */
  async time<T>(
    { method, private: isPrivate }: Pick<Operation, 'method' | 'private'>,
    channel: Channel,
    work: () => Promise<T>,
  ): Promise<T> {
    if (isPrivate) return work();
    const started = performance.now();
    let code: FailureCode | 'ok' = 'ok';
    try {
      return await work();
    } catch (error) {
      code = error instanceof Failure ? error.code : 'internal';
      throw error;
    } finally {
      this.#note({ operation: method, channel, code }, (performance.now() - started) / 1_000);
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
