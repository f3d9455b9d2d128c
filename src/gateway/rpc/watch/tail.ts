import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import type { Subscription } from '#bus/bus.ts';
import { isAway } from '#gateway/http/retrying.ts';
import type { AnswerMemory, CachedAnswer } from './answer-memory.ts';
import { hasChanges, hasMore } from './watch.ts';

/**
 * How old an initial list may be to serve another watch, in milliseconds, so that pages that open together read it
 * once. Changes since then follow.
 */
const sameOpeningMs = 1_000;
/** How long the line may be without a new answer until another one starts it again, in milliseconds. */
const endAgeMs = 5_000;

/** A watch's request to a tail. */
export interface Question {
  readonly cursor: string;
  /** Whether it is the first request of its watch, which is sent even if nothing seems to have changed. */
  readonly isFirst: boolean;
  /** Whether the answer must have all changes until now, because no other follows it. */
  readonly isOnly: boolean;
  /** Asks the registry in the name of this watch. */
  readonly ask: (cursor: string) => Promise<JsonObject>;
}

/** The options of a tail. */
export interface TailOptions {
  /** Identifies what it follows among all tails of the cache. Contains no line feed. */
  readonly key: string;
  readonly memory: AnswerMemory;
  /** Caches what only one caller gets, for its other watches. */
  readonly ownMemory: AnswerMemory;
  /** Subscribes to hints that something may have changed. */
  readonly listen: (listener: () => void) => Subscription;
  /** How long, without a hint, nothing counts as changed, in milliseconds. */
  readonly quietMs: number;
  /** The minimum time between two requests for what is newest, in milliseconds. */
  readonly betweenMs: () => number;
  /** Whether an answer may be sent twice. */
  readonly repeats: (answer: JsonObject) => boolean;
  /** Whether an answer without `more` has everything until now. */
  readonly saysMore: boolean;
}

/** A request to the registry. */
interface PendingRequest {
  readonly answer: Promise<JsonObject>;
  /** When it was sent, or else made, in milliseconds. */
  at: number;
  /** How many hints had arrived when it was sent. Undefined until then. */
  hints: number | undefined;
}

/** Where the line of answers ends: the cursor of the newest one, and when it arrived. */
interface TailPosition {
  readonly cursor: string;
  readonly at: number;
}

/**
 * Serves all watches with the same answers: a request of several watches is sent to the registry once, and its answer
 * is cached for the others. Answers form a line, each from the cursor of the one before, which is continued at most
 * every `betweenMs`, however many watches follow it. A watch with another cursor joins the line with its next answer.
 */
export class Tail {
  readonly #options: TailOptions;
  readonly #listeners = new Set<() => void>();
  readonly #pending = new Map<string, PendingRequest>();
  /** Requests for what only one caller gets. */
  readonly #apart = new Map<string, Promise<JsonObject>>();
  #hints = 0;
  #subscription: Subscription | undefined;
  /** The last answer without changes, if no hint has arrived since. */
  #quiet: CachedAnswer | undefined;
  #end: TailPosition | undefined;
  /** When the line may be continued, in milliseconds. */
  #nextAt = 0;

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
        // From now on changes are not noticed, so cached answers are stale.
        this.#options.memory.drop(this.#keyOf(''));
        this.#hints += 1;
        this.#quiet = undefined;
        this.#end = undefined;
      },
    };
  }

  /** The changes since a cursor. All watches share the answer, so it must not be modified. */
  async ask(question: Question): Promise<JsonObject> {
    const { cursor, isFirst } = question;
    const kept = this.#options.memory.find(this.#keyOf(cursor));
    if (kept !== undefined && this.#mayServe(question, kept)) return kept.answer;
    const quiet = isFirst ? undefined : this.#quiet;
    if (quiet?.answer['cursor'] === cursor && performance.now() - quiet.at < this.#options.quietMs) return quiet.answer;
    const asking = this.#pending.get(cursor);
    if (asking !== undefined && this.#mayServe(question, asking)) return this.#join(asking, question);
    return this.#begin(question);
  }

  /** Whether the changes since a cursor need not be requested. */
  isAtHand(cursor: string): boolean {
    return this.#options.memory.find(this.#keyOf(cursor)) !== undefined;
  }

  /**
   * The changes since a cursor that only one caller gets. Its watches share the answer, so it must not be modified.
   * @param whose identifies the caller and what it selects. Contains no line feed.
   */
  async askApart(whose: string, cursor: string, ask: () => Promise<JsonObject>): Promise<JsonObject> {
    const key = this.#keyOf(`${whose}\n${cursor}`);
    const kept = this.#options.ownMemory.find(key);
    if (kept !== undefined) return kept.answer;
    const asking = this.#apart.get(key);
    if (asking !== undefined) return asking;
    const answer = this.#requestApart(ask).finally(() => this.#apart.delete(key));
    this.#apart.set(key, answer);
    // An initial list is soon stale.
    if (cursor === '') return answer;
    this.#options.ownMemory.keep(key, { answer: await answer, at: performance.now(), hints: this.#hints });
    return answer;
  }

  /**
   * Requests what only one caller gets, for a cursor of the line. The answer's cursor is one of the line, so rows that
   * changed between the two are sent again; it is the answer's own if that has something that must not be sent twice.
   */
  async #requestApart(ask: () => Promise<JsonObject>): Promise<JsonObject> {
    await this.#lineAnswer();
    const askedAt = performance.now();
    return this.#onLine(await ask(), askedAt);
  }

  #hint(): void {
    this.#hints += 1;
    this.#quiet = undefined;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Changes since a cursor stay valid. An initial list does not, because a watch would have to read all since then. */
  #mayServe({ cursor, isOnly }: Question, asked: Pick<PendingRequest, 'at' | 'hints'>): boolean {
    if (cursor === '') return performance.now() - asked.at < sameOpeningMs;
    return !isOnly || this.#isCurrent(asked);
  }

  /** Whether no hint has arrived since a request was sent. */
  #isCurrent({ hints }: Pick<PendingRequest, 'hints'>): boolean {
    return hints === undefined || hints === this.#hints;
  }

  async #join(asking: PendingRequest, question: Question): Promise<JsonObject> {
    const isCurrent = this.#isCurrent(asking);
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

  #begin(question: Question): Promise<JsonObject> {
    const { cursor } = question;
    const { promise: answer, resolve } = Promise.withResolvers<JsonObject>();
    const asking: PendingRequest = { answer, at: performance.now(), hints: undefined };
    this.#pending.set(cursor, asking);
    resolve(
      this.#request(question, asking).finally(() => {
        if (this.#pending.get(cursor) === asking) this.#pending.delete(cursor);
      }),
    );
    answer.catch(() => undefined);
    return answer;
  }

  async #request({ cursor, ask, isOnly }: Question, asking: PendingRequest): Promise<JsonObject> {
    if (!isOnly) await this.#turn(cursor);
    const [at, hints] = [performance.now(), this.#hints];
    Object.assign(asking, { at, hints });
    const answer = await ask(cursor);
    const continues = this.#continue(cursor, answer);
    const placed = continues ? answer : this.#onLine(answer, at);
    this.#keep(cursor, { answer: placed, at, hints });
    if (continues && this.#options.saysMore) this.#noteQuiet({ answer, at, hints });
    return placed;
  }

  /** Waits until a request may be sent: one that continues the line when it is due, another one after the line's. */
  async #turn(cursor: string): Promise<void> {
    if (cursor !== this.#end?.cursor) return this.#lineAnswer();
    const wait = this.#nextAt - performance.now();
    if (wait > 0) await delay(Math.ceil(wait), undefined, { ref: false });
  }

  /** Waits for the answer that continues the line, if it was requested. What is requested then is newer. */
  async #lineAnswer(): Promise<void> {
    if (this.#isBeingContinued) await this.#pending.get(this.#end?.cursor ?? '')?.answer.catch(() => undefined);
  }

  /** Whether the line's next answer may be from before now. */
  get #isBeingContinued(): boolean {
    return this.#end !== undefined && this.#pending.get(this.#end.cursor)?.hints !== undefined;
  }

  /**
   * An answer that was requested at a time, in milliseconds, with a cursor of the line if its watch can continue there.
   */
  #onLine(answer: JsonObject, askedAt: number): JsonObject {
    const end = this.#end;
    const isOlder = end !== undefined && end.at < askedAt && !this.#isBeingContinued && !this.isAtHand(end.cursor);
    const mayRepeat = hasChanges(answer) && !hasMore(answer) && this.#options.repeats(answer);
    return isOlder && mayRepeat ? { ...answer, cursor: end.cursor } : answer;
  }

  /** Makes an answer the newest of the line, if it continues it or begins a new one. Returns whether it does. */
  #continue(asked: string, answer: JsonObject): boolean {
    const { cursor } = answer;
    const now = performance.now();
    const isOver = this.#end === undefined || now - this.#end.at > endAgeMs;
    if (this.#end?.cursor !== asked && !(isOver && !hasMore(answer))) return false;
    if (typeof cursor === 'string') this.#end = { cursor, at: now };
    this.#nextAt = hasMore(answer) ? now : now + this.#options.betweenMs();
    return true;
  }

  #keep(cursor: string, kept: CachedAnswer): void {
    if (hasChanges(kept.answer)) this.#options.memory.keep(this.#keyOf(cursor), kept);
    else if (kept.hints === this.#hints) this.#quiet = kept;
  }

  /** Notes that nothing follows an answer with changes, so that its watches need not ask again until the next hint. */
  #noteQuiet({ answer, at, hints }: CachedAnswer): void {
    if (hints !== this.#hints || hasMore(answer) || !hasChanges(answer)) return;
    this.#quiet = { answer: { cursor: answer['cursor'] ?? '' }, at, hints };
  }

  #keyOf(cursor: string): string {
    return `${this.#options.key}\n${cursor}`;
  }
}
