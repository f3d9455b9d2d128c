import { Failure } from '#contract/failure.ts';

/** How many streams one token may have open: a page and a few terminals need a handful. */
export const defaultStreamsPerToken = 64;

/** Counts open streams by token. */
export class OpenStreams {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** How many streams are open in all. */
  get open(): number {
    return [...this.#open.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * Counts a new stream of a token. Call the returned function when it ends.
   * @throws RESOURCE_EXHAUSTED when the token has reached its limit
   */
  enter(credential: string): () => void {
    const count = this.#open.get(credential) ?? 0;
    if (count >= this.#max) {
      throw new Failure(
        'TOO_MANY_WATCHES',
        `This token has ${count} watches open, which is the maximum: end one, then watch again`,
        { metadata: { limit: String(count) } },
      );
    }
    this.#open.set(credential, count + 1);
    return () => this.#leave(credential);
  }

  #leave(credential: string): void {
    const left = (this.#open.get(credential) ?? 1) - 1;
    if (left > 0) this.#open.set(credential, left);
    else this.#open.delete(credential);
  }
}
