import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '#contract/process-context.ts';
import { overloadBytes, refuseOverload } from '#gateway/http/overload-reply.ts';
import type { EarlyRefusal } from './http1-connection.ts';
import type { RequestHead } from './request-head.ts';

/** How many calls a gateway handles at a time. */
export interface AdmissionLimits {
  /** How many calls run at a time. More would not increase the throughput. */
  readonly atOnce: number;
  /** How many more wait for their turn. All others are refused at once. */
  readonly waiting: number;
  /**
   * How many of both one caller may have, so that there is always room for others. All callers whose token has not been
   * verified yet count as one.
   */
  readonly ofOneCaller: number;
  /** After how long a call counts as waiting for something else, and no longer as running, in milliseconds. */
  readonly slowMs: number;
  /** How many calls may be in progress in all, including slow ones. Streams are limited separately. */
  readonly underWay: number;
}

export const defaultAdmission: AdmissionLimits = {
  atOnce: 32,
  waiting: 224,
  ofOneCaller: 192,
  slowMs: 250,
  underWay: 2_000,
};

/** The current number of calls, and how many were refused since the start. */
export interface AdmissionFigures {
  readonly busy: number;
  readonly waiting: number;
  readonly refused: number;
}

/** The key of callers whose token has not been verified yet. No token is empty. */
const unknownCaller = '';

/** How often refused calls are logged, in milliseconds. */
const reportEveryMs = 10_000;
/** Paths that are always answered, because they are cheap or report the health. */
const freePaths = new Set(['/', '/healthz', '/readyz', '/metrics']);

/** The place of a call, which waits and then runs until it is answered, becomes slow, or only waits for changes. */
interface Place {
  readonly caller: string;
  start(): void;
}

/** Releases the place of the current call. */
const current = new AsyncLocalStorage<() => void>();

/**
 * Releases the place of the current call, because from here on it only waits, and its kind is limited elsewhere. Does
 * nothing outside of a call.
 */
export function releaseSlot(): void {
  current.getStore()?.();
}

/**
 * Limits how many calls run at a time. A few more wait, and callers take turns. All others are refused at once, in the
 * form of their protocol, before they are read. So a flood costs little, and admitted calls finish soon.
 */
export class Admission implements EarlyRefusal {
  readonly #limits: AdmissionLimits;
  readonly #log: Log;
  readonly #isKnown: (authorization: string) => boolean;
  /** The waiting calls by caller. The caller whose turn is next comes first. */
  readonly #waiting = new Map<string, Place[]>();
  /** How many calls wait or run, by caller. */
  readonly #held = new Map<string, number>();
  #waits = 0;
  #busy = 0;
  #underWay = 0;
  #refused = 0;
  #refusedInAll = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  /** @param isKnown whether the token in an Authorization header was recently verified */
  constructor(limits: AdmissionLimits, log: Log, isKnown: (authorization: string) => boolean) {
    this.#limits = limits;
    this.#log = log;
    this.#isKnown = isKnown;
  }

  get figures(): AdmissionFigures {
    return { busy: this.#busy, waiting: this.#waits, refused: this.#refusedInAll };
  }

  /** Wraps a listener of requests. */
  guard(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { authorization } = request.headers;
      // A call without a token is refused just as cheaply later.
      if (authorization === undefined || freePaths.has(request.url ?? '')) return listener(request, response);
      const caller = this.#callerBy(authorization);
      if (this.#hasRoomFor(caller)) this.#take(caller, listener, request, response);
      else this.#refuse(request, response);
    };
  }

  mayRefuse(): boolean {
    return this.#busy >= this.#limits.atOnce || this.#underWay >= this.#limits.underWay;
  }

  refusalOf({ path, authorization, contentType }: RequestHead): Buffer | undefined {
    if (freePaths.has(path) || this.#hasRoomFor(this.#callerBy(authorization))) return undefined;
    const bytes = overloadBytes(contentType);
    if (bytes !== undefined) this.#noteRefusal();
    return bytes;
  }

  /** Admits all waiting calls. */
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
    let release: (() => void) | undefined;
    const place: Place = {
      caller,
      start: () => {
        release = this.#enter(caller, response);
        current.run(release, listener, request, response);
      },
    };
    this.#count(caller, 1);
    if (this.#busy < this.#limits.atOnce) {
      place.start();
      return;
    }
    this.#queue(place);
    response.once('close', () => {
      if (release === undefined) this.#leaveQueue(place);
    });
  }

  /** Starts a call. Its place is released when it is answered, ends, or becomes slow. */
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

  /** Starts the next waiting call. Callers take turns. */
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
