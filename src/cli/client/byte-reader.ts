/** The maximum length of a line, in bytes. */
const maxLineBytes = 16 * 1024;

/** Reads lines and blocks of bytes from a connection. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array, unknown>;
  /** What has arrived and is not read yet. */
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next line, without its end. @throws Error when the connection ends first, or the line is too long */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf('\n');
      if (end >= 0)
        return this.#take(end + 1)
          .toString('latin1')
          .replace(/\r?\n$/, '');
      if (this.#held.length > maxLineBytes) throw new Error(`it sent a line of more than ${maxLineBytes} bytes`);
      if (!(await this.#receive())) throw brokenOff();
    }
  }

  /** Between one and `max` bytes, as they arrive; undefined once the connection has ended. */
  async some(max = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    while (this.#held.length === 0) {
      if (!(await this.#receive())) return undefined;
    }
    return this.#take(max);
  }

  /** Exactly `count` bytes, as they arrive. @throws Error when the connection ends first */
  async *exactly(count: number): AsyncGenerator<Uint8Array, void> {
    for (let left = count; left > 0; ) {
      const bytes = await this.some(left);
      if (bytes === undefined) throw brokenOff();
      left -= bytes.length;
      yield bytes;
    }
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  #take(max: number): Buffer {
    const taken = this.#held.subarray(0, max);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  /** Waits for more bytes. Returns whether there were any. */
  async #receive(): Promise<boolean> {
    const { done = false, value } = await this.#source.next();
    if (done || !(value instanceof Uint8Array)) return false;
    this.#held =
      this.#held.length === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.length)
        : Buffer.concat([this.#held, value]);
    return true;
  }
}

function brokenOff(): Error {
  return Object.assign(new Error('it broke off its answer'), { code: 'ECONNRESET' });
}
