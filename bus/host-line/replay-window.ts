/** By how many messages a message may be late. */
const width = 1_024;

/** Accepts each number once, in any order within the window. It rejects repeats and numbers older than the window. */
export class ReplayWindow {
  readonly #seen = new Float64Array(width).fill(-1);
  #newest = -1;

  take(number: number): boolean {
    const place = number % width;
    if (number <= this.#newest - width || this.#seen[place] === number) return false;
    this.#seen[place] = number;
    this.#newest = Math.max(this.#newest, number);
    return true;
  }
}
