import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Caller } from '#contract/access/caller.ts';
import { seesEverything } from '#contract/access/sees-everything.ts';
import type { FactWatch } from '#contract/operation.ts';
import type { Tail } from './tail.ts';
import { hasChanges } from './watch.ts';

/** The options of a watch on a tail. */
export interface SharedWatchOptions {
  readonly tail: Tail;
  readonly watch: FactWatch;
  readonly caller: Caller;
  /** The caller's credential. */
  readonly credential: string;
  readonly request: JsonObject;
  /** Whether it may start with a list that another watch just got. Changes since then follow. */
  readonly sharesOpening: boolean;
  /** Asks the registry as this watch's caller: only for the caller, or for all watches of the tail. */
  readonly ask: (cursor: string, scope: 'own' | 'shared') => Promise<JsonObject>;
}

/** One of the watches that share a tail. It selects what its caller may see. */
export class SharedWatch {
  readonly #options: SharedWatchOptions;
  readonly #narrowing: readonly (readonly [name: string, value: JsonValue])[];
  /** Identifies the watches that get the same answers, whatever their caller may see. */
  readonly #whose: string;
  #isFirst = true;
  /** Whether it has read the past, so that it now reads the same as the others. */
  #isCaughtUp: boolean;

  constructor(options: SharedWatchOptions) {
    this.#options = options;
    const { request, watch } = options;
    this.#narrowing = (watch.narrowing?.by ?? []).flatMap((name) => {
      const value = request[name];
      return value === undefined || value === '' ? [] : [[name, value] as const];
    });
    this.#whose = JSON.stringify([options.credential, this.#narrowing]);
    this.#isCaughtUp = this.#narrowing.length === 0;
  }

  /** The changes since a cursor that this watch's caller may see. */
  async ask(cursor: string): Promise<JsonObject> {
    if (!this.#isCaughtUp) return this.#catchUp(cursor);
    if (cursor === '' && !this.#options.sharesOpening) return this.#options.ask(cursor, 'own');
    for (let at = cursor; ; ) {
      const shared = await this.#askTail(at);
      const answer = this.#narrowed(shared);
      const next = shared['cursor'];
      // Nothing in it is for this watch, but more may follow.
      if (hasChanges(answer) || !hasChanges(shared) || typeof next !== 'string' || next === at) return answer;
      at = next;
    }
  }

  /** Whether what changed since a cursor need not be requested. */
  isAtHand(cursor: string): boolean {
    return this.#isCaughtUp && this.#options.tail.isAtHand(cursor);
  }

  async #catchUp(cursor: string): Promise<JsonObject> {
    const answer = await this.#options.ask(cursor, 'own');
    this.#isCaughtUp = !hasChanges(answer);
    return answer;
  }

  async #askTail(cursor: string): Promise<JsonObject> {
    const { tail, ask, sharesOpening } = this.#options;
    const isFirst = this.#isFirst;
    const isOnly = isFirst && !sharesOpening;
    const shared = await tail.ask({ cursor, isFirst, isOnly, ask: (at) => ask(at, 'shared') });
    this.#isFirst = false;
    if (!this.#hasOwnRows(shared)) return shared;
    const askOwn = () => ask(cursor, 'own');
    return isOnly ? askOwn() : tail.askApart(this.#whose, cursor, askOwn);
  }

  /** Whether the caller may see more of a row in the answer than the others. */
  #hasOwnRows(answer: JsonObject): boolean {
    const { watch, caller } = this.#options;
    if (watch.shared === undefined || watch.shared === 'all' || caller.kind === 'person' || seesEverything(caller)) {
      return false;
    }
    const { agentId } = caller;
    return objectsIn(answer, watch.shared.rows).some(({ agent }) => {
      return isObject(agent) && (agent['id'] === agentId || agent['parentAgentId'] === agentId);
    });
  }

  #narrowed(answer: JsonObject): JsonObject {
    const { narrowing } = this.#options.watch;
    if (narrowing === undefined || this.#narrowing.length === 0) return answer;
    const kept = objectsIn(answer, narrowing.of).filter((item) =>
      this.#narrowing.every(([name, value]) => item[name] === value),
    );
    return { ...answer, [narrowing.of]: kept };
  }
}

function objectsIn(answer: JsonObject, name: string): readonly JsonObject[] {
  const list = answer[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
