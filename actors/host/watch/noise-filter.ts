/** How many known frames are kept for each pane. */
const max = 64;

/**
 * Learns frames of a pane's output that change nothing, such as those of a spinner: captures after them gave an
 * unchanged reading. When the reading changes, all frames are dropped, so that no frame hides a later change.
 */
export class NoiseFilter {
  /** In the order in which they were learned. */
  readonly #known = new Set<number>();
  #recent = new Set<number>();

  /** Records frames of the pane's output; returns whether all of them are known noise. */
  record(frames: readonly number[]): boolean {
    for (const frame of frames) if (this.#recent.size < max) this.#recent.add(frame);
    return frames.every((frame) => this.#known.has(frame));
  }

  /** Returns the frames since the last capture. Called when the next capture begins, which will show their effect. */
  take(): ReadonlySet<number> {
    const recent = this.#recent;
    this.#recent = new Set();
    return recent;
  }

  /** Learns frames that a capture has shown to change nothing. */
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
