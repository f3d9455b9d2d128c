/** How many messages a late one may come after. */
const width = 1_024;

/** Takes each number once, in any order within the window: what is sent again, or comes too late, is not taken. */
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
