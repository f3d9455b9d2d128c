import type { Input } from '#contract/pane/typed-input.ts';
import { agents } from '#page/api/clients.ts';

/** The maximum content of one call. */
const max = { inputs: 200, characters: 1_000 } as const;

/**
 * Sends what is typed, in order: one call is in progress at a time, and the next one sends everything that was typed
 * meanwhile.
 */
export class Typing {
  readonly #agentId: string;
  readonly #failed: (error: unknown) => void;
  #waiting: Input[] = [];
  #isSending = false;

  constructor(agentId: string, failed: (error: unknown) => void) {
    this.#agentId = agentId;
    this.#failed = failed;
  }

  type(inputs: readonly Input[]): void {
    for (const input of inputs) this.#add(input);
    if (!this.#isSending) void this.#send();
  }

  #add(input: Input): void {
    const last = this.#waiting.at(-1);
    const joined = last && 'text' in last && 'text' in input ? last.text + input.text : '';
    if (joined !== '' && joined.length <= max.characters) this.#waiting.splice(-1, 1, { text: joined });
    else this.#waiting.push(input);
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0) {
        const inputs = this.#waiting.splice(0, max.inputs);
        await agents.typeInPane({ agentId: this.#agentId, inputs });
      }
    } catch (error) {
      // After a key that was not delivered, the following input would have a different meaning.
      this.#waiting = [];
      this.#failed(error);
    } finally {
      this.#isSending = false;
    }
  }
}
