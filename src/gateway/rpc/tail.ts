import type { JsonObject } from '@bufbuild/protobuf';
import type { Subscription } from '#bus/bus.ts';
import { isAway } from '#gateway/http/retrying.ts';
import type { AnswerMemory, KeptAnswer } from './answer-memory.ts';
import { hasChanges } from './watch.ts';

/**
 * How old an initial list may be to serve another watch, in milliseconds, so that pages that open together read it
 * once. Changes since then follow.
 */
const sameOpeningMs = 250;

/** A watch's request to a tail. */
export interface Question {
  readonly cursor: string;
  /** Whether it is the first request of its watch, which is sent even if nothing seems to have changed. */
  readonly isFirst: boolean;
  /** Asks the registry in the name of this watch. */
  readonly ask: (cursor: string) => Promise<JsonObject>;
}

/** The options of a tail. */
export interface TailOptions {
  /** Identifies what it follows among all tails of the cache. Contains no line feed. */
  readonly key: string;
  readonly memory: AnswerMemory;
  /** Subscribes to hints that something may have changed. */
  readonly listen: (listener: () => void) => Subscription;
  /** How long, without a hint, nothing counts as changed, in milliseconds. */
  readonly quietMs: number;
}

interface Asking {
  readonly answer: Promise<JsonObject>;
  readonly at: number;
  readonly hints: number;
}

/**
 * Serves all watches with the same answers: a request of several watches is sent to the registry once, and its answer
 * is cached for the others. Watches with different cursors converge with the first answer that says that nothing more
 * has changed, because all such answers of a moment have the same cursor.
 */
export class Tail {
  readonly #options: TailOptions;
  readonly #listeners = new Set<() => void>();
  readonly #asking = new Map<string, Asking>();
  #hints = 0;
  #subscription: Subscription | undefined;
  /** The last answer without changes, if no hint has arrived since. */
  #quiet: KeptAnswer | undefined;

  constructor(options: TailOptions) {
    this.#options = options;
  }

  /** How many watches it serves. */
  get watches(): number {
    return this.#listeners.size;
  }

  /** Calls a watch when something may have changed, until the watch leaves. */
  listen(listener: () => void): Subscription {
    const own = () => listener();
    this.#listeners.add(own);
    this.#subscription ??= this.#options.listen(() => this.#hint());
    return {
      close: () => {
        this.#listeners.delete(own);
        if (this.#listeners.size > 0) return;
        this.#subscription?.close();
        this.#subscription = undefined;
        // From now on nobody notices changes, so cached answers are outdated.
        this.#hints += 1;
        this.#quiet = undefined;
      },
    };
  }

  /** The changes since a cursor. All watches share the answer, so it must not be modified. */
  async ask(question: Question): Promise<JsonObject> {
    const { cursor, isFirst } = question;
    const kept = this.#options.memory.find(this.#keyOf(cursor));
    if (kept !== undefined && this.#mayServe(cursor, kept)) return kept.answer;
    const quiet = isFirst ? undefined : this.#quiet;
    if (quiet?.answer['cursor'] === cursor && performance.now() - quiet.at < this.#options.quietMs) return quiet.answer;
    const asking = this.#asking.get(cursor);
    if (asking !== undefined && this.#mayServe(cursor, asking)) return this.#join(asking, question);
    return this.#begin(question);
  }

  #hint(): void {
    this.#hints += 1;
    this.#quiet = undefined;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Changes since a cursor stay valid. An initial list does not, because changes may have been missed since. */
  #mayServe(cursor: string, { at, hints }: Pick<Asking, 'at' | 'hints'>): boolean {
    return cursor === '' ? performance.now() - at < sameOpeningMs : hints === this.#hints;
  }

  async #join(asking: Asking, question: Question): Promise<JsonObject> {
    const { hints } = asking;
    const isCurrent = hints === this.#hints;
    try {
      const answer = await asking.answer;
      // A watch that gets "no changes" waits for a hint, which must not have arrived already.
      return isCurrent || hasChanges(answer) ? answer : await this.#begin(question);
    } catch (error) {
      if (isAway(error)) throw error;
      // The failure may concern only the watch that asked.
      return question.ask(question.cursor);
    }
  }

  #begin({ cursor, ask }: Question): Promise<JsonObject> {
    const asking = { answer: ask(cursor), at: performance.now(), hints: this.#hints };
    this.#asking.set(cursor, asking);
    const keepAnswer = async (): Promise<void> => {
      try {
        this.#keep(cursor, { ...asking, answer: await asking.answer });
      } finally {
        if (this.#asking.get(cursor) === asking) this.#asking.delete(cursor);
      }
    };
    keepAnswer().catch(() => undefined);
    return asking.answer;
  }

  #keep(cursor: string, kept: KeptAnswer): void {
    if (hasChanges(kept.answer)) this.#options.memory.keep(this.#keyOf(cursor), kept);
    else if (kept.hints === this.#hints) this.#quiet = kept;
  }

  #keyOf(cursor: string): string {
    return `${this.#options.key}\n${cursor}`;
  }
}
