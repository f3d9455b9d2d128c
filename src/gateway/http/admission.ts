import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '#contract/process-context.ts';
import { overloadBytes, refuseOverload } from '#gateway/http/overload-reply.ts';
import type { EarlyRefusal } from './http1-connection.ts';
import type { WholeRequest } from './whole-request.ts';

/** How much a gateway takes on at a time. */
export interface AdmissionLimits {
  /** So many calls are worked on at once: more do not get more done. */
  readonly atOnce: number;
  /** So many more wait for their turn, and all others are refused at once. */
  readonly waiting: number;
  /**
   * So many of both may be one caller's, so that there is always room for another; all who have not shown yet that
   * their token is good are one.
   */
  readonly ofOneCaller: number;
  /** A call that takes longer than this waits for something else, and makes room; in milliseconds. */
  readonly slowMs: number;
  /** So many calls may be under way in all, the slow ones too; streams aside, which are counted on their own. */
  readonly underWay: number;
}

export const defaultAdmission: AdmissionLimits = {
  atOnce: 32,
  waiting: 224,
  ofOneCaller: 192,
  slowMs: 250,
  underWay: 2_000,
};

/** What an admission holds now, and how many it refused since the start. */
export interface AdmissionFigures {
  readonly busy: number;
  readonly waiting: number;
  readonly refused: number;
}

/** Whoever has not shown yet that their token is good. No token is called so. */
const unknownCaller = '';

/** How often refused calls are logged, in milliseconds. */
const reportEveryMs = 10_000;
/** What is always answered: it costs nothing, or says whether all is well. */
const freePaths = new Set(['/', '/healthz', '/readyz', '/metrics']);

/** One call's place: it waits, then it is worked on until it is answered, slow, or waits for news. */
interface Place {
  readonly caller: string;
  start(): void;
}

/** The call that is in progress: what gives its place back. */
const current = new AsyncLocalStorage<() => void>();

/**
 * Gives the place of the call under way to another one: from here on it only waits, for news or for time to pass, and
 * its kind is bounded elsewhere. It may be called at any time, also if there is no such call.
 */
export function releaseSlot(): void {
  current.getStore()?.();
}

/**
 * Lets so many calls in at a time and has a few wait, callers in turn. Whatever is more is refused at once, in the form
 * of its protocol, before anything of it is read: so a flood costs little, and what was let in is done soon.
 */
export class Admission implements EarlyRefusal {
  readonly #limits: AdmissionLimits;
  readonly #log: Log;
  readonly #isKnown: (authorization: string) => boolean;
  /** The calls that wait, by caller, the one whose turn is next first. */
  readonly #waiting = new Map<string, Place[]>();
  /** How many wait or are worked on, by caller. */
  readonly #held = new Map<string, number>();
  #waits = 0;
  #busy = 0;
  #underWay = 0;
  #refused = 0;
  #refusedInAll = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  /** @param isKnown whether the token in an Authorization header was good a moment ago */
  constructor(limits: AdmissionLimits, log: Log, isKnown: (authorization: string) => boolean) {
    this.#limits = limits;
    this.#log = log;
    this.#isKnown = isKnown;
  }

  get figures(): AdmissionFigures {
    return { busy: this.#busy, waiting: this.#waits, refused: this.#refusedInAll };
  }

  /** Puts it before whatever answers requests. */
  guard(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { authorization } = request.headers;
      // One without a token is refused anyway, as cheaply.
      if (authorization === undefined || freePaths.has(request.url ?? '')) return listener(request, response);
      const caller = this.#callerBy(authorization);
      if (this.#hasRoomFor(caller)) this.#take(caller, listener, request, response);
      else this.#refuse(request, response);
    };
  }

  mayRefuse(): boolean {
    return this.#busy >= this.#limits.atOnce || this.#underWay >= this.#limits.underWay;
  }

  refusalOf({ path, authorization, contentType }: WholeRequest): Buffer | undefined {
    if (freePaths.has(path) || this.#hasRoomFor(this.#callerBy(authorization))) return undefined;
    const bytes = overloadBytes(contentType);
    if (bytes !== undefined) this.#noteRefusal();
    return bytes;
  }

  /** Lets everything in that waits. */
  open(): void {
    for (const place of [...this.#waiting.values()].flat()) {
      this.#takeOut(place);
      place.start();
    }
  }

  #callerBy(authorization: string): string {
    return this.#isKnown(authorization) ? authorization : unknownCaller;
  }

  #hasRoomFor(caller: string): boolean {
    const { atOnce, waiting, ofOneCaller, underWay } = this.#limits;
    return (
      this.#underWay < underWay &&
      (this.#busy < atOnce || this.#waits < waiting) &&
      (this.#held.get(caller) ?? 0) < ofOneCaller
    );
  }

  #take(caller: string, listener: RequestListener, request: IncomingMessage, response: ServerResponse): void {
    let giveBack: (() => void) | undefined;
    const place: Place = {
      caller,
      start: () => {
        giveBack = this.#enter(caller, response);
        current.run(giveBack, listener, request, response);
      },
    };
    this.#count(caller, 1);
    if (this.#busy < this.#limits.atOnce) {
      place.start();
      return;
    }
    this.#queue(place);
    response.once('close', () => {
      if (giveBack === undefined) this.#leaveQueue(place);
    });
  }

  /** Works on a call; the answer gives its place back, as its end does, and its slowness. */
  #enter(caller: string, response: ServerResponse): () => void {
    this.#busy += 1;
    this.#underWay += 1;
    let holds = true;
    let counts = true;
    const makeRoom = (): void => {
      if (!holds) return;
      holds = false;
      clearTimeout(timer);
      this.#busy -= 1;
      this.#count(caller, -1);
      this.#next();
    };
    const end = (): void => {
      if (counts) this.#underWay -= 1;
      counts = false;
      makeRoom();
    };
    const timer = setTimeout(makeRoom, this.#limits.slowMs);
    response.once('close', end);
    return end;
  }

  /** Starts the call whose turn it is: one of each caller after the other. */
  #next(): void {
    if (this.#busy >= this.#limits.atOnce) return;
    const [place] = this.#waiting.values().next().value ?? [];
    if (place === undefined) return;
    this.#takeOut(place);
    const others = this.#waiting.get(place.caller);
    if (others !== undefined) {
      this.#waiting.delete(place.caller);
      this.#waiting.set(place.caller, others);
    }
    place.start();
  }

  #queue(place: Place): void {
    this.#waits += 1;
    const own = this.#waiting.get(place.caller);
    if (own === undefined) this.#waiting.set(place.caller, [place]);
    else own.push(place);
  }

  #leaveQueue(place: Place): void {
    this.#takeOut(place);
    this.#count(place.caller, -1);
  }

  #takeOut(place: Place): void {
    this.#waits -= 1;
    const own = this.#waiting.get(place.caller) ?? [];
    own.splice(own.indexOf(place), 1);
    if (own.length === 0) this.#waiting.delete(place.caller);
  }

  #count(caller: string, more: number): void {
    const held = (this.#held.get(caller) ?? 0) + more;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    refuseOverload(request, response);
    this.#noteRefusal();
  }

  #noteRefusal(): void {
    this.#refused += 1;
    this.#refusedInAll += 1;
    const now = performance.now();
    if (now - this.#reportedAt < reportEveryMs) return;
    this.#log.warn({ refused: this.#refused, underWay: this.#underWay }, 'more calls arrive than can be handled');
    this.#reportedAt = now;
    this.#refused = 0;
  }
}
