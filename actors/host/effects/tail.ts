/** The end of a growing text, at most `max` bytes of it, cut between characters. */
export class Tail {
  readonly #max: number;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #cut = false;
  #added = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** The total number of bytes added. */
  get added(): number {
    return this.#added;
  }

  add(text: string): void {
    const part = Buffer.from(text);
    this.#parts.push(part);
    this.#bytes += part.length;
    this.#added += part.length;
    // Buffer up to twice the limit, so that not every addition has to cut.
    if (this.#bytes > 2 * this.#max) this.#shrink();
  }

  /** The kept text, and whether anything before it was cut. */
  kept(): { output: string; cut: boolean } {
    this.#shrink();
    return { output: Buffer.concat(this.#parts).toString(), cut: this.#cut };
  }

  /** At most `most` bytes of the kept text after a byte offset. `end` is the offset where the returned text ends. */
  since(offset: number, most: number): { output: string; cut: boolean; end: number } {
    this.#shrink();
    const whole = Buffer.concat(this.#parts);
    const first = this.#added - whole.length;
    const start = nextCharacter(whole, Math.min(Math.max(0, offset - first), whole.length));
    let end = Math.min(start + most, whole.length);
    while (end > start && end < whole.length && continues(whole, end)) end -= 1;
    return { output: whole.toString('utf8', start, end), cut: offset < first, end: first + end };
  }

  #shrink(): void {
    if (this.#bytes <= this.#max) return;
    const whole = Buffer.concat(this.#parts);
    const start = nextCharacter(whole, whole.length - this.#max);
    this.#parts.splice(0, this.#parts.length, whole.subarray(start));
    this.#bytes = whole.length - start;
    this.#cut = true;
  }
}

/** Whether a byte continues a UTF-8 character: 10xxxxxx. */
function continues(text: Buffer, at: number): boolean {
  return ((text[at] ?? 0) & 0xc0) === 0x80;
}

function nextCharacter(text: Buffer, from: number): number {
  let at = from;
  while (at < text.length && continues(text, at)) at += 1;
  return at;
}
