/** Passes on what a stream brings until a mark, which may arrive in pieces, and keeps what follows it. */
export class EndMark {
  readonly #mark: Buffer;
  readonly #pass: (chunk: Buffer) => void;
  /** What may be the beginning of the mark. */
  #held: Buffer = Buffer.alloc(0);
  #after: Buffer | undefined;

  constructor(mark: string, pass: (chunk: Buffer) => void) {
    this.#mark = Buffer.from(mark);
    this.#pass = pass;
  }

  /** What followed the mark; undefined until it has arrived. */
  get after(): string | undefined {
    return this.#after?.toString('latin1');
  }

  push(chunk: Buffer): void {
    if (this.#after !== undefined) {
      this.#after = Buffer.concat([this.#after, chunk]);
      return;
    }
    const whole = Buffer.concat([this.#held, chunk]);
    const at = whole.indexOf(this.#mark);
    const end = at === -1 ? whole.length - this.#begunIn(whole) : at;
    if (at !== -1) this.#after = whole.subarray(at + this.#mark.length);
    this.#held = whole.subarray(end);
    if (end > 0) this.#pass(whole.subarray(0, end));
  }

  /** How many bytes at the end are the beginning of the mark. */
  #begunIn(bytes: Buffer): number {
    let length = Math.min(bytes.length, this.#mark.length - 1);
    while (!bytes.subarray(bytes.length - length).equals(this.#mark.subarray(0, length))) length -= 1;
    return length;
  }
}
