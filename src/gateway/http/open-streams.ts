import { Failure } from '#contract/failure.ts';

/** How many streams one token may have open: a page and a few terminals need a handful. */
export const usualStreamsPerToken = 64;

/** The streams that are open, by the token that opened them. */
export class OpenStreams {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** How many are open, of all tokens. */
  get open(): number {
    return [...this.#open.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * Counts one more stream of a token; the answer gives it back.
   * @throws Failure `resource_exhausted` where the token has as many as one may have
   */
  enter(credential: string): () => void {
    const count = this.#open.get(credential) ?? 0;
    if (count >= this.#most) {
      throw new Failure(
        'resource_exhausted',
        `This token has ${count} watches open, which is the most that one may have: end one, then watch again`,
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
