/** How many numbers behind the newest a message may be. */
const width = 1_024;

/** Accepts each number once, in any order within the window. Rejects repeats and numbers older than the window. */
export class ReplayWindow {
  readonly #seen = new Float64Array(width).fill(-1);
  #newest = -1;

  /** Whether the number is accepted. */
  take(number: number): boolean {
    const place = number % width;
    if (number <= this.#newest - width || this.#seen[place] === number) return false;
    this.#seen[place] = number;
    this.#newest = Math.max(this.#newest, number);
    return true;
  }
}
