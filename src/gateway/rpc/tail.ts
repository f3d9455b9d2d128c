import type { JsonObject } from '@bufbuild/protobuf';
import type { Subscription } from '#bus/bus.ts';
import { isAway } from '#gateway/http/retrying.ts';
import type { AnswerMemory, KeptAnswer } from './answer-memory.ts';
import { hasChanges } from './watch.ts';

/**
 * How old the beginning of a list may be that another watch gets, in milliseconds, so that pages that open together
 * read it once. What changed meanwhile follows it.
 */
const sameOpeningMs = 250;

/** What a watch asks a tail. */
export interface Question {
  readonly cursor: string;
  /** Whether it is the first one of its watch, which is asked even if nothing seems to have changed. */
  readonly isFirst: boolean;
  /** Asks the registry in the name of this watch alone. */
  readonly ask: (cursor: string) => Promise<JsonObject>;
}

/** What a tail is made of. */
export interface TailOptions {
  /** Names what it follows, among all tails of the memory; it has no line end. */
  readonly key: string;
  readonly memory: AnswerMemory;
  /** Called when something may have moved. */
  readonly listen: (listener: () => void) => Subscription;
  /** For how long nothing counts as changed while no hint comes, in milliseconds. */
  readonly quietMs: number;
}

interface Asking {
  readonly answer: Promise<JsonObject>;
  readonly at: number;
  readonly hints: number;
}

/**
 * What all watches of the same things are served from: a question that several have is put to the registry once, and
 * its answer kept for those that come to it. Watches that stand at different places come together with the first answer
 * that leaves nothing to be asked for, since all such answers of one moment lead to the same cursor.
 */
export class Tail {
  readonly #options: TailOptions;
  readonly #listeners = new Set<() => void>();
  readonly #asking = new Map<string, Asking>();
  #hints = 0;
  #heard: Subscription | undefined;
  /** The last answer that said that nothing had changed, if no hint came since. */
  #quiet: KeptAnswer | undefined;

  constructor(options: TailOptions) {
    this.#options = options;
  }

  /** How many watches it serves. */
  get watches(): number {
    return this.#listeners.size;
  }

  /** Calls a watch when something may have moved, until the watch leaves. */
  listen(listener: () => void): Subscription {
    const own = () => listener();
    this.#listeners.add(own);
    this.#heard ??= this.#options.listen(() => this.#hint());
    return {
      close: () => {
        this.#listeners.delete(own);
        if (this.#listeners.size > 0) return;
        this.#heard?.close();
        this.#heard = undefined;
        // Nobody hears what changes from now on.
        this.#hints += 1;
        this.#quiet = undefined;
      },
    };
  }

  /** What changed since a cursor. The answer belongs to all watches: it is never to be changed. */
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

  /** What follows a place stays true. A list that is begun is not: nobody may have heard what changed in it since. */
  #mayServe(cursor: string, { at, hints }: Pick<Asking, 'at' | 'hints'>): boolean {
    return cursor === '' ? performance.now() - at < sameOpeningMs : hints === this.#hints;
  }

  async #join(asking: Asking, question: Question): Promise<JsonObject> {
    const { hints } = asking;
    const isCurrent = hints === this.#hints;
    try {
      const answer = await asking.answer;
      // Whoever is answered that nothing changed waits for a hint: it must not be one that has come before.
      return isCurrent || hasChanges(answer) ? answer : await this.#begin(question);
    } catch (error) {
      if (isAway(error)) throw error;
      // The refusal may be of the one that asked.
      return question.ask(question.cursor);
    }
  }

  #begin({ cursor, ask }: Question): Promise<JsonObject> {
    const asking = { answer: ask(cursor), at: performance.now(), hints: this.#hints };
    this.#asking.set(cursor, asking);
    const settle = async (): Promise<void> => {
      try {
        this.#keep(cursor, { ...asking, answer: await asking.answer });
      } finally {
        if (this.#asking.get(cursor) === asking) this.#asking.delete(cursor);
      }
    };
    settle().catch(() => undefined);
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
