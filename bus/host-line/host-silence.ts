import { setTimeout as delay } from 'node:timers/promises';

/** How long a host, which beats every 5 s, may be silent before it is pinged, in milliseconds. */
const silentMs = 10_000;
/** How long the ping's answer may take, in milliseconds. A host answers pings even while it is busy. */
const pongWithin = 2_000;

/** A host that is watched while it works on a request. */
export interface MonitoredHost {
  /** The time in milliseconds, by a clock that never steps. */
  now(): number;
  /** When the host last sent a message, on the same clock. */
  seenAt(): number;
  /** Pings it and returns whether it answered; undefined if that cannot be known. */
  ping(withinMs: number): Promise<boolean | undefined>;
}

/**
 * Waits until a host has missed its beats and answers no ping, and then returns true. Returns false if a ping cannot
 * show that.
 * @throws AbortError when `signal` ends the wait
 */
export async function awaitSilence(host: MonitoredHost, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const seenAt = host.seenAt();
    const left = seenAt + silentMs - host.now();
    if (left > 0) {
      await delay(left, undefined, { signal, ref: false });
      continue;
    }
    const isThere = await host.ping(pongWithin);
    if (isThere === undefined) return false;
    // A message that arrived while the ping was out shows that the host is there.
    if (!isThere && host.seenAt() === seenAt) return true;
  }
}
