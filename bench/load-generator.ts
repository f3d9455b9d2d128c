// Calls a server as its parent says, in a process of its own, so that what is measured does not wait for what measures.
import { setTimeout as delay } from 'node:timers/promises';
import { Caller } from './caller.ts';

/** A load on one server for so long. */
export interface Load {
  readonly url: string;
  /** The request, as latin1. */
  readonly request: string;
  readonly connections: number;
  readonly forMs: number;
  /** How long before that it runs without being measured: connections are opened, and code gets warm. */
  readonly warmMs: number;
  /** Requests a second, whatever becomes of those before; without it, each connection asks again once it is answered. */
  readonly perSecond?: number;
}

/** What came of a load: how long answers took, by whether they were given or refused, in milliseconds. */
export interface Outcome {
  readonly done: readonly number[];
  readonly refused: readonly number[];
  /** Answers of another status, and connections that broke. */
  readonly failed: number;
  /** Requests that were due while every connection waited for an answer. */
  readonly unsent: number;
  /** Answers before and after what was measured. */
  readonly aside: number;
}

process.once('disconnect', () => process.exit());
process.on('message', (load: Load) => void run(load).then((outcome) => process.send?.(outcome)));

async function run(load: Load): Promise<Outcome> {
  const { url, connections, forMs, warmMs, perSecond } = load;
  const outcome = { done: [] as number[], refused: [] as number[], failed: 0, unsent: 0, aside: 0 };
  const begin = performance.now() + warmMs;
  const end = begin + forMs;
  const free: Caller[] = [];
  const callers = Array.from({ length: connections }, () => {
    const caller: Caller = new Caller(url, Buffer.from(load.request, 'latin1'), (status, took) => {
      const now = performance.now();
      if (now < begin || now > end) outcome.aside += 1;
      else if (status === 200) outcome.done.push(took);
      else if (status === 429) outcome.refused.push(took);
      else outcome.failed += 1;
      if (perSecond !== undefined) free.push(caller);
      else if (now < end) caller.ask();
    });
    return caller;
  });
  if (perSecond === undefined) {
    for (const caller of callers) caller.ask();
    await delay(warmMs + forMs);
  } else {
    free.push(...callers);
    await pace(free, perSecond, end, outcome);
  }
  // What is under way is left to come to its end.
  await delay(500);
  for (const caller of callers) caller.close();
  return outcome;
}

async function pace(free: Caller[], perSecond: number, end: number, outcome: { unsent: number }): Promise<void> {
  const start = performance.now();
  let due = 0;
  for (let now = start; now < end; now = performance.now()) {
    for (const wanted = ((now - start) * perSecond) / 1000; due < wanted; due += 1) {
      // The connection that was used last: no more are open than are needed.
      const caller = free.pop();
      if (caller === undefined) outcome.unsent += 1;
      else caller.ask();
    }
    await delay(1);
  }
}
