import { setTimeout as delay } from 'node:timers/promises';

/** How long a host, which beats every 5 s, may be silent before it is pinged, in milliseconds. */
const silentMs = 10_000;
/** How long the ping's answer may take, in milliseconds. A host answers it independently of its other work. */
const pongWithin = 2_000;

/** A host that a request is sent to, and when it was last heard from. */
export interface HeardHost {
  /** The time by a clock that never steps, and when the host was last heard from by that clock, in milliseconds. */
  now(): number;
  heardAt(): number;
  /** Pings it; undefined if it does not support pings. */
  ping(withinMs: number): Promise<boolean | undefined>;
}

/**
 * Waits until a host has missed its beats and answers no ping; returns true then, and false if that cannot be known.
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
    // Messages that have arrived are read before the time for the answer counts as over.
    if (!isThere && host.heardAt() === heardAt) return true;
  }
}
