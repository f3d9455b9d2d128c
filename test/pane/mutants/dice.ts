/** Numbers that look random and are the same at each run: a generator of one seed, by name. */
export class Dice {
  #state: number;

  constructor(seed: string) {
    this.#state = [...seed].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, 7);
  }

  /** A whole number from 0 up to below `below`. */
  upTo(below: number): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  /** One of these. */
  of<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.upTo(choices.length)] ?? choices[0];
  }

  /** Three different ones of these, in any order. */
  three<T>(choices: readonly T[]): T[] {
    const left = [...choices];
    return Array.from({ length: 3 }, () => left.splice(this.upTo(left.length), 1)).flat();
  }
}
