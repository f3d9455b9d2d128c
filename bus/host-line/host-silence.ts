import { setTimeout as delay } from 'node:timers/promises';

/** How long a host that beats every 5 s may say nothing until it is asked whether it is there, in milliseconds. */
const silentMs = 10_000;
/** How long it may take to say so, in milliseconds: it is answered beside all that the host is at. */
const pongWithin = 2_000;

/** A host that something is asked of, as it is heard. */
export interface HeardHost {
  /** The time by a clock that never steps, and when the host was last heard by it, in milliseconds. */
  now(): number;
  heardAt(): number;
  /** Asks whether it is there; undefined if that cannot be asked of it. */
  ping(withinMs: number): Promise<boolean | undefined>;
}

/**
 * Waits until a host has missed its beats and does not even say that it is there: true then, and false if that is
 * unknown.
 * @throws AbortError once the signal ends the wait
 */
export async function awaitSilence(host: HeardHost, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const heardAt = host.heardAt();
    const left = heardAt + silentMs - host.now();
    if (left > 0) {
      await delay(left, undefined, { signal, ref: false });
      continue;
    }
    const isThere = await host.ping(pongWithin);
    if (isThere === undefined) return false;
    // What had come and was not read yet is read before the time for the answer is over.
    if (!isThere && host.heardAt() === heardAt) return true;
  }
}
