import type { Reading } from '#contract/pane/reading.ts';

/** An unknown row that changes this often within this many milliseconds shows work. */
const enoughChanges = 3;
const withinMs = 5_000;

/**
 * Interprets a row that the rules do not know: if it keeps changing, it shows work; if it does not, it raises doubt.
 */
export class UnknownRow {
  #row = '';
  #changedAt: number[] = [];

  /** Records a reading. Returns whether its unknown row keeps changing. */
  keepsChanging({ reason, evidence }: Pick<Reading, 'reason' | 'evidence'>, now: number): boolean {
    const row = reason === 'unknown-row' ? (evidence[0] ?? '') : '';
    if (row === '') this.#changedAt = [];
    else if (this.#row !== '' && row !== this.#row) this.#changedAt.push(now);
    this.#row = row;
    this.#changedAt = this.#changedAt.filter((at) => now - at < withinMs);
    return this.#changedAt.length >= enoughChanges;
  }
}
