import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import type { Subscription } from '#bus/bus.ts';

/**
 * The minimum time between two requests of a watch after its opening, in milliseconds, so that a constantly changing
 * fleet costs a few answers a second for each watcher; the first change after a pause is sent at once.
 */
const minBetweenMs = 50;
/** How many answers a second all watches of a process get at most. */
const answersPerSecond = 2_000;

/** The same for each of so many watches: the more there are, the more changes come in one answer. */
export function betweenMsOf(watches: number): number {
  return Math.max(minBetweenMs, (watches * 1_000) / answersPerSecond);
}

/** What a watch is made of. */
export interface Watching {
  /** Asks what moved since a cursor; the answer carries the next one. */
  readonly ask: (cursor: string) => Promise<JsonObject>;
  /** Called when something may have moved. */
  readonly listen: (listener: () => void) => Subscription;
  readonly cursor: string;
  /** Whether an answer with news may have left more to ask for; true if it is not said. */
  readonly isPaged?: boolean;
  /** How long nothing may be said, in milliseconds. */
  readonly heartbeatMs: number;
  /** The minimum time between two requests after the opening, in milliseconds. */
  readonly betweenMs: () => number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/**
 * Follows what moves: first everything since the cursor, page after page, then whatever a hint announces. A message
 * that holds only a cursor says that there is nothing more for now (once, after the opening) or that the watch is alive
 * (the heartbeat, at which it also asks again, so that a lost hint is made good).
 */
export async function* follow({
  ask,
  listen,
  cursor,
  isPaged = true,
  heartbeatMs,
  betweenMs,
  signal,
}: Watching): AsyncGenerator<JsonObject> {
  const alarm = new Alarm(signal);
  // Heard before the first question, so that nothing falls between the two.
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
      if (changes) yield answer;
      else if (opening || beat) yield { cursor: next };
      opening &&= changes;
      const more = isPaged && changes && next !== at;
      at = next;
      beat = !more && !(await alarm.rings(spread(heartbeatMs)));
      if (!opening) await rest(asked + betweenMs() - performance.now(), signal);
    }
  } finally {
    hints.close();
  }
}

/** Waits this many milliseconds, if any, or until it is cancelled. */
async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await delay(Math.ceil(milliseconds), undefined, { signal }).catch(() => undefined);
}

/** Half of a time to all of it, by chance: watches that were opened at once do not all ask at once from then on. */
function spread(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random() / 2);
}

/** Whether an answer says anything beyond its cursor. */
export function hasChanges({ cursor: _cursor, ...rest }: JsonObject): boolean {
  return Object.values(rest).some((value) => !(Array.isArray(value) && value.length === 0));
}

/** Something that rings, also while nobody waits for it. */
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

  /** Waits until it rings, rang since it was silenced, or the signal is aborted; false if the time passed first. */
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
