/** The last payloads of the status sequences that a pane's program sent. */
export interface ProgramStatus {
  /** OSC 7501: what the program reports it is doing. */
  readonly programStatus: string;
  /** OSC 9;4: its progress. */
  readonly progress: string;
}

export const noStatus: ProgramStatus = { programStatus: '', progress: '' };

const escapeByte = 0x1b;
const bell = 0x07;
const bracket = 0x5d;
const maxBytes = 4096;
const prefixes = [
  ['7501;', 'programStatus'],
  ['9;4;', 'progress'],
] as const;

/**
 * Watches the bytes of one pane for status sequences, even if one is split between two pieces of output or wrapped for
 * passing through tmux. A sequence longer than 4,096 bytes is dropped.
 */
export class StatusScanner {
  #status = noStatus;
  #payload: number[] | undefined;
  #escaped = false;

  get status(): ProgramStatus {
    return this.#status;
  }

  /** Whether a sequence has begun and not ended: only then does output without an escape character matter. */
  get isWithin(): boolean {
    return this.#escaped || this.#payload !== undefined;
  }

  /** Takes the next output of the pane; returns whether the status changed. */
  feed(output: Buffer): boolean {
    if (!this.isWithin && !output.includes(escapeByte)) return false;
    const before = this.#status;
    for (const byte of output) this.#byte(byte);
    return this.#status !== before;
  }

  /** Forgets everything: after output was missed, the last payload may no longer hold. */
  forget(): void {
    this.#status = noStatus;
    this.#payload = undefined;
    this.#escaped = false;
  }

  #byte(byte: number): void {
    if (byte === escapeByte) {
      this.#finish();
      this.#escaped = true;
      return;
    }
    if (this.#escaped && byte === bracket) this.#payload = [];
    else if (this.#payload !== undefined) this.#collect(this.#payload, byte);
    this.#escaped = false;
  }

  #collect(payload: number[], byte: number): void {
    if (byte === bell) this.#finish();
    else if (byte < 0x20 || payload.length >= maxBytes) this.#payload = undefined;
    else payload.push(byte);
  }

  #finish(): void {
    if (this.#payload === undefined) return;
    const text = Buffer.from(this.#payload).toString('utf8');
    this.#payload = undefined;
    for (const [prefix, field] of prefixes) {
      if (text.startsWith(prefix)) this.#status = { ...this.#status, [field]: text.slice(prefix.length) };
    }
  }
}
