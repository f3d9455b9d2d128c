/** How many known frames are kept for each pane. */
const max = 64;

/**
 * Frames of a pane's output that have come to nothing, as those of a spinner do: looks that followed on them showed the
 * reading that stood already. With another reading all are strange again, so that no frame hides a move because it
 * meant none at another time.
 */
export class NoiseFilter {
  /** The one that was learned last comes last. */
  readonly #known = new Set<number>();
  #heard = new Set<number>();

  /** Takes the pane's output; returns whether all of it is known noise. */
  hear(frames: readonly number[]): boolean {
    for (const frame of frames) if (this.#heard.size < max) this.#heard.add(frame);
    return frames.every((frame) => this.#known.has(frame));
  }

  /** What was heard until now, as a look begins that will show what it came to. */
  take(): ReadonlySet<number> {
    const heard = this.#heard;
    this.#heard = new Set();
    return heard;
  }

  /** A look has shown that these came to nothing. */
  learn(frames: ReadonlySet<number>): void {
    for (const frame of frames) {
      this.#known.delete(frame);
      this.#known.add(frame);
    }
    for (const oldest of this.#known) {
      if (this.#known.size <= max) break;
      this.#known.delete(oldest);
    }
  }

  forget(): void {
    this.#known.clear();
  }
}
