import type { Input } from './typed-input.ts';

/** The maximum content of one call. */
const max = { inputs: 200, characters: 1_000 } as const;

/**
 * Sends what a person types into a pane, in order: one call is in progress at a time, and the next one sends everything
 * that was typed meanwhile. After a fault, what was not sent is dropped, because it would have a different meaning.
 */
export class TypingQueue {
  readonly #send: (inputs: readonly Input[]) => Promise<unknown>;
  readonly #failed: (error: unknown) => void;
  #waiting: Input[] = [];
  #sending: Promise<void> | undefined;

  /** @param failed called with the reason why the last input, and all after it, did not arrive */
  constructor(send: (inputs: readonly Input[]) => Promise<unknown>, failed: (error: unknown) => void) {
    this.#send = send;
    this.#failed = failed;
  }

  type(inputs: readonly Input[]): void {
    for (const input of inputs) this.#add(input);
    this.#sending ??= this.#sendAll();
  }

  /** Resolves once nothing is left to send. */
  async sent(): Promise<void> {
    await this.#sending;
  }

  #add(input: Input): void {
    const last = this.#waiting.at(-1);
    const joined = last && 'text' in last && 'text' in input ? last.text + input.text : '';
    if (joined !== '' && joined.length <= max.characters) this.#waiting.splice(-1, 1, { text: joined });
    else this.#waiting.push(input);
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, max.inputs));
    } catch (error) {
      this.#waiting = [];
      this.#failed(error);
    } finally {
      this.#sending = undefined;
    }
  }
}
