import type { Reading } from '#contract/pane/reading.ts';

/** A row that is not known and changed so often within so many milliseconds is drawn by something at work. */
const enoughChanges = 3;
const withinMs = 5_000;

/** What a row that the rules do not know means: one that keeps changing shows work, one that stands is in doubt. */
export class UnknownRow {
  #row = '';
  #changedAt: number[] = [];

  /** A look has shown this. Answers whether such a row keeps changing. */
  isTurning({ reason, evidence }: Pick<Reading, 'reason' | 'evidence'>, now: number): boolean {
    const row = reason === 'unknown-row' ? (evidence[0] ?? '') : '';
    if (row === '') this.#changedAt = [];
    else if (this.#row !== '' && row !== this.#row) this.#changedAt.push(now);
    this.#row = row;
    this.#changedAt = this.#changedAt.filter((at) => now - at < withinMs);
    return this.#changedAt.length >= enoughChanges;
  }
}
