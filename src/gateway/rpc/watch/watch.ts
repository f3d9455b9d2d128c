import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import type { Subscription } from '#bus/bus.ts';

/**
 * The minimum time between two requests of a watch after its opening, in milliseconds, so that a constantly changing
 * fleet costs a few answers a second for each watcher; the first change after a pause is sent at once.
 */
const minBetweenMs = 50;
/**
 * The maximum number of answers per second for all watches of a process: if they show a screen, which a person types
 * into, or a list.
 */
const answersPerSecond = { screen: 2_000, list: 500 } as const;
/** How many answers, at most, a watch gets at once from those that were read for all while it waited. */
const readsPerAnswer = 4;

/** The minimum time between requests of each watch. The more watches there are, the more changes share an answer. */
export function betweenMsOf(watches: number, shows: keyof typeof answersPerSecond): number {
  return Math.max(minBetweenMs, (watches * 1_000) / answersPerSecond[shows]);
}

/**
 * The minimum time between two requests of all watches that share their answers, for a number of watches, in
 * milliseconds.
 */
export function betweenReadsMsOf(watches: number): number {
  return Math.max(minBetweenMs, betweenMsOf(watches, 'list') / readsPerAnswer);
}

/** The sources and limits of a watch. */
export interface ChangeSource {
  /** Asks for the changes since a cursor. The answer has the next cursor. */
  readonly ask: (cursor: string) => Promise<JsonObject>;
  /** Subscribes to hints that something may have changed. */
  readonly listen: (listener: () => void) => Subscription;
  readonly cursor: string;
  /** Whether more may follow an answer with changes; by default true. */
  readonly isPaged?: boolean;
  /** Whether an answer without `more` has everything until now; by default only an answer without changes does. */
  readonly saysMore?: boolean;
  /** Whether the answer to a cursor is at hand, so that there is no need to wait before asking; by default false. */
  readonly isAtHand?: (cursor: string) => boolean;
  /** The maximum time without an answer, in milliseconds. */
  readonly heartbeatMs: number;
  /** The minimum time between two requests after the opening, in milliseconds. */
  readonly betweenMs: () => number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/**
 * Follows changes: first everything since the cursor, page by page, then after each hint. A message with only a cursor
 * means that there is nothing more for now (once, after the opening), or is a heartbeat. At each heartbeat it also asks
 * again, in case a hint was lost.
 */
export async function* follow({
  ask,
  listen,
  cursor,
  isPaged = true,
  saysMore = false,
  isAtHand = () => false,
  heartbeatMs,
  betweenMs,
  signal,
}: ChangeSource): AsyncGenerator<JsonObject> {
  const alarm = new Alarm(signal);
  // Subscribed before the first request, so that no change is missed in between.
  const hints = listen(() => alarm.ring());
  let at = cursor;
  let opening = true;
  let beat = false;
  try {
    while (!signal.aborted) {
      alarm.silence();
      const asked = performance.now();
      const answer = await unlessAborted(ask(at), signal);
      if (answer === undefined) return;
      const next = typeof answer['cursor'] === 'string' ? answer['cursor'] : at;
      const changes = hasChanges(answer);
      const opened: boolean = opening && !(saysMore ? hasMore(answer) : changes);
      if (changes) yield answer;
      if (opened || (beat && !changes)) yield { cursor: next };
      opening &&= !opened;
      const more = isPaged && changes && next !== at;
      at = next;
      beat = !more && !(await alarm.rings(spread(heartbeatMs)));
      if (!opening && !hasMore(answer) && !isAtHand(at)) await rest(asked + betweenMs() - performance.now(), signal);
    }
  } finally {
    hints.close();
  }
}

/** Waits this many milliseconds, if any, or until it is cancelled. */
async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await delay(Math.ceil(milliseconds), undefined, { signal }).catch(() => undefined);
}

/** A random time between half and all of the given one, so that watches opened together do not ask together. */
function spread(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random() / 2);
}

/** Whether an answer says that it does not yet have everything until now. */
export function hasMore({ more }: JsonObject): boolean {
  return more === true;
}

/** Whether an answer has anything besides its cursor. */
export function hasChanges({ cursor: _cursor, ...rest }: JsonObject): boolean {
  return Object.values(rest).some((value) => !(Array.isArray(value) && value.length === 0));
}

/** A signal that persists until a caller waits for it. */
class Alarm {
  readonly #signal: AbortSignal;
  #rang = false;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  ring(): void {
    this.#rang = true;
    this.#wake?.();
  }

  silence(): void {
    this.#rang = false;
  }

  /** Waits until it rings (or has rung since it was silenced) or the signal aborts; false if the time passes first. */
  async rings(withinMs: number): Promise<boolean> {
    if (this.#rang || this.#signal.aborted) return true;
    const woken = Promise.withResolvers<boolean>();
    const wake = () => woken.resolve(true);
    const timer = setTimeout(() => woken.resolve(false), withinMs);
    this.#wake = wake;
    this.#signal.addEventListener('abort', wake, { once: true });
    try {
      return await woken.promise;
    } finally {
      clearTimeout(timer);
      this.#wake = undefined;
      this.#signal.removeEventListener('abort', wake);
    }
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const abort = () => aborted.resolve(undefined);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
}
