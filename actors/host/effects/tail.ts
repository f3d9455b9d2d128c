/** The end of a text that grows, at most so many bytes of it, cut between characters. */
export class Tail {
  readonly #most: number;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #cut = false;
  #added = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many bytes came in all. */
  get added(): number {
    return this.#added;
  }

  add(text: string): void {
    const part = Buffer.from(text);
    this.#parts.push(part);
    this.#bytes += part.length;
    this.#added += part.length;
    // Twice as much is held as is kept, so that not every piece has to be cut.
    if (this.#bytes > 2 * this.#most) this.#shrink();
  }

  /** What is kept, and whether something came before it. */
  kept(): { output: string; cut: boolean } {
    this.#shrink();
    return { output: Buffer.concat(this.#parts).toString(), cut: this.#cut };
  }

  #shrink(): void {
    if (this.#bytes <= this.#most) return;
    const whole = Buffer.concat(this.#parts);
    let start = whole.length - this.#most;
    // A byte 10xxxxxx goes on with a character that began before.
    while (start < whole.length && ((whole[start] ?? 0) & 0xc0) === 0x80) start += 1;
    this.#parts.splice(0, this.#parts.length, whole.subarray(start));
    this.#bytes = whole.length - start;
    this.#cut = true;
  }
}
