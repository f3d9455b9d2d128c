// Calls a server on command of its parent, in a separate process so that the bench does not slow down the load.
import { setTimeout as delay } from 'node:timers/promises';
import { Caller } from '../stage/caller.ts';

/** A load on one server. */
export interface Load {
  readonly url: string;
  /** The request, in Latin-1. */
  readonly request: string;
  readonly connections: number;
  readonly forMs: number;
  /** How long it runs before the measurement, to open connections and warm up. */
  readonly warmMs: number;
  /**
   * Requests per second, at a steady rate. Without it, each connection repeats the request once it is answered.
   */
  readonly perSecond?: number;
}

/** The result of a load: how long successful and refused calls took, in milliseconds. */
export interface Outcome {
  readonly done: readonly number[];
  readonly refused: readonly number[];
  /** Answers with other statuses, and broken connections. */
  readonly failed: number;
  /** Requests that were due while every connection was busy, or while the generator did not run. */
  readonly unsent: number;
  /** Answers before and after the measurement. */
  readonly aside: number;
}

process.once('disconnect', () => process.exit());
process.on('message', (load: Load) => void run(load).then((outcome) => process.send?.(outcome)));

/** How long this process may be delayed and still send the requests that were due meanwhile, in milliseconds. */
const maxAwayMs = 10;
/** How many connections are opened concurrently. */
const openedAtOnce = 16;

async function run(load: Load): Promise<Outcome> {
  const { url, connections, forMs, warmMs, perSecond } = load;
  const outcome = { done: [] as number[], refused: [] as number[], failed: 0, unsent: 0, aside: 0 };
  let begin = Number.POSITIVE_INFINITY;
  let end = Number.POSITIVE_INFINITY;
  let onFree: (caller: Caller) => void = () => undefined;
  const callers = Array.from({ length: connections }, () => {
    const caller: Caller = new Caller(url, Buffer.from(load.request, 'latin1'), (status, took) => {
      const now = performance.now();
      if (now < begin || now > end) outcome.aside += 1;
      else if (status === 200) outcome.done.push(took);
      else if (status === 429) outcome.refused.push(took);
      else outcome.failed += 1;
      onFree(caller);
    });
    return caller;
  });
  await new Promise<void>((resolve) => {
    const unopened = [...callers];
    let left = callers.length;
    onFree = () => {
      left -= 1;
      unopened.pop()?.ask();
      if (left === 0) resolve();
    };
    for (const caller of unopened.splice(-openedAtOnce)) caller.ask();
  });
  begin = performance.now() + warmMs;
  end = begin + forMs;
  if (perSecond === undefined) {
    onFree = (caller) => performance.now() < end && caller.ask();
    for (const caller of callers) caller.ask();
    await delay(warmMs + forMs);
  } else {
    const free = [...callers];
    onFree = (caller) => free.push(caller);
    await pace(free, perSecond, end, outcome);
  }
  // Requests in flight finish on their own.
  await delay(500);
  for (const caller of callers) caller.close();
  return outcome;
}

async function pace(free: Caller[], perSecond: number, end: number, outcome: { unsent: number }): Promise<void> {
  let due = 0;
  for (let last = performance.now(), now = last; now < end; last = now, now = performance.now()) {
    // After a longer delay, all due requests would be sent in one burst, which is a different load.
    const away = Math.min(now - last, maxAwayMs);
    outcome.unsent += Math.round(((now - last - away) * perSecond) / 1000);
    for (due += (away * perSecond) / 1000; due >= 1; due -= 1) {
      // In turn, as from so many callers.
      const caller = free.shift();
      if (caller === undefined) outcome.unsent += 1;
      else caller.ask();
    }
    await delay(1);
  }
}
