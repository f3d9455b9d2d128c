import type { JsonObject } from '@bufbuild/protobuf';
import type { Caller } from '#contract/access/caller.ts';
import { seesEverything } from '#contract/access/sees-everything.ts';
import { type FactWatch, type Operation, pathOf } from '#contract/operation.ts';
import type { FactHints } from '#gateway/rpc/fact-hints.ts';
import { AnswerMemory, type MemoryLimits } from './answer-memory.ts';
import { Tail } from './tail.ts';

/** The tails of this process, by what they follow. */
export class Tails {
  readonly memory: AnswerMemory;
  readonly #ownMemory: AnswerMemory;
  readonly #hints: FactHints;
  readonly #quietMs: number;
  readonly #betweenMs: () => number;
  readonly #tails = new Map<string, Tail>();

  /**
   * @param quietMs how long, without a hint, nothing counts as changed, in milliseconds
   * @param betweenMs the minimum time between two requests for the newest changes, in milliseconds
   */
  constructor(hints: FactHints, quietMs: number, betweenMs: () => number, limits?: MemoryLimits) {
    this.memory = new AnswerMemory(limits);
    this.#ownMemory = new AnswerMemory(limits);
    this.#hints = hints;
    this.#quietMs = quietMs;
    this.#betweenMs = betweenMs;
  }

  /** How many tails have watches. */
  get size(): number {
    this.#forget();
    return this.#tails.size;
  }

  /** The tail for all watches that get the same answers to a request, which is given without its cursor. */
  tailOf(row: Operation, watch: FactWatch, caller: Caller, request: Readonly<Record<string, unknown>>): Tail {
    this.#forget();
    const view = watch.shared === 'all' || seesEverything(caller) ? 'all' : 'others';
    const given = Object.entries(request).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const key = JSON.stringify([pathOf(row), view, given]);
    const known = this.#tails.get(key);
    if (known !== undefined) return known;
    const listen = (listener: () => void) => this.#hints.listen(prefixOf(watch, request), listener);
    const repeats = (answer: JsonObject) => mayRepeat(watch, answer);
    const [quietMs, betweenMs] = [this.#quietMs, this.#betweenMs];
    const saysMore = watch.shared !== 'all';
    const [memory, ownMemory] = [this.memory, this.#ownMemory];
    const tail = new Tail({ key, memory, ownMemory, listen, quietMs, betweenMs, repeats, saysMore });
    this.#tails.set(key, tail);
    return tail;
  }

  #forget(): void {
    for (const [key, tail] of this.#tails) if (tail.watches === 0) this.#tails.delete(key);
  }
}

/** Whether an answer has only rows as they are now, and no facts. */
function mayRepeat({ shared }: FactWatch, answer: JsonObject): boolean {
  if (shared === undefined || shared === 'all') return false;
  const facts = answer[shared.facts];
  return facts === undefined || (Array.isArray(facts) && facts.length === 0);
}

/** The prefix of the kinds of facts that may change a watch's answer. */
export function prefixOf(watch: FactWatch, request: Readonly<Record<string, unknown>>): string {
  const more = watch.more === undefined ? undefined : request[watch.more];
  return Array.isArray(more) && more.length > 0 ? '' : watch.facts;
}
