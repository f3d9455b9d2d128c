/** Output between two equal marks, each of which may arrive in pieces. What is before the first one is dropped. */
export class MarkedOutput {
  readonly #mark: Buffer;
  readonly #pass: (chunk: Buffer) => void;
  /** What may be the beginning of a mark. */
  #held: Buffer = Buffer.alloc(0);
  #hasBegun = false;
  #after: Buffer | undefined;

  constructor(mark: string, pass: (chunk: Buffer) => void) {
    this.#mark = Buffer.from(mark);
    this.#pass = pass;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** What followed the second mark; undefined until that has arrived. */
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
    this.#held = whole.subarray(end);
    if (this.#hasBegun && end > 0) this.#pass(whole.subarray(0, end));
    if (at !== -1) this.#cross(whole.subarray(at + this.#mark.length));
  }

  #cross(rest: Buffer): void {
    if (this.#hasBegun) {
      this.#after = rest;
      return;
    }
    this.#hasBegun = true;
    this.#held = Buffer.alloc(0);
    if (rest.length > 0) this.push(rest);
  }

  /** How many bytes at the end are the beginning of the mark. */
  #begunIn(bytes: Buffer): number {
    let length = Math.min(bytes.length, this.#mark.length - 1);
    while (!bytes.subarray(bytes.length - length).equals(this.#mark.subarray(0, length))) length -= 1;
    return length;
  }
}
