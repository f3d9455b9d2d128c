import { isTransient } from '#contract/transient.ts';
import type { Service } from './service.ts';
import type { WorkScope } from './work-scope.ts';

/** The pause after the first of several faults in a row, and the longest one, in milliseconds. */
const backoff = { first: 500, max: 5_000 } as const;
/**
 * How far apart the moments are at which the pollers of a process wake, in milliseconds. To wake a process costs as much
 * as a pass that finds nothing, so they wake together.
 */
const wakeEvery = 250;
/** When they wake within this span, in milliseconds. It is random, so that several processes seldom poll together. */
const processPhase = Math.random() * wakeEvery;
/** Ends a pause. An abort without a reason would make an exception each time. */
const woken = new Error('woken');

/** A task that a poller repeats. */
export interface PollerTask {
  /** Names it in the log and in metrics, such as `deadlines`. */
  readonly name: string;
  /** The pause between two passes, in milliseconds; from `wakeEvery` on, give or take half of that. */
  readonly every: number;
  /** How long a wake waits for others to share its pass, in milliseconds; by default it does not wait. */
  readonly gatherMs?: number;
  /** One pass. The signal is aborted when the poller is stopped; the pass may then end early. */
  pass(signal: AbortSignal): Promise<void>;
}

/**
 * Runs a pass at the start, whenever it is woken, and after each pause; never two at once. After a transient fault it
 * retries with exponential backoff. Other faults are logged each time, and retried no sooner than the next pass is due.
 */
export class Poller implements Service {
  readonly #polling: PollerTask;
  readonly #scope: WorkScope;
  readonly #phase: number;
  #stopping: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();
  #pause = new AbortController();
  #isWoken = false;
  /** Wakes are being gathered. */
  #gathering: Promise<void> | undefined;
  /** Whether the last pass failed. */
  #isFaulty = false;

  /** @param phase when it wakes within each `wakeEvery`, in milliseconds */
  constructor(polling: PollerTask, scope: WorkScope, phase = processPhase) {
    this.#polling = polling;
    this.#scope = scope;
    this.#phase = phase;
  }

  /** Starts with a pass at once. Does nothing if it is running. */
  start(): this {
    if (this.#stopping === undefined) {
      this.#stopping = new AbortController();
      this.#running = this.#run(this.#stopping.signal);
    }
    return this;
  }

  /** Starts a pass now, or after the one in progress. Does not shorten a pause after a fault. */
  wake(): void {
    const { gatherMs } = this.#polling;
    if (gatherMs === undefined) this.#wakeNow();
    else this.#gathering ??= this.#gather(gatherMs);
  }

  async #gather(gatherMs: number): Promise<void> {
    await this.#scope.timer.sleep(gatherMs, this.#stopping?.signal).catch(() => undefined);
    this.#gathering = undefined;
    this.#wakeNow();
  }

  #wakeNow(): void {
    this.#isWoken = true;
    if (!this.#isFaulty) this.#pause.abort(woken);
  }

  /** Stops, after the pass in progress. It can be started again. */
  async stop(): Promise<void> {
    this.#stopping?.abort();
    this.#pause.abort(woken);
    await Promise.all([this.#running, this.#gathering]);
    this.#stopping = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let faults = 0; !signal.aborted; ) {
      this.#isWoken = false;
      const fault = await this.#pass(signal, faults);
      faults = fault === undefined ? 0 : faults + 1;
      this.#isFaulty = fault !== undefined;
      const mayRest = !signal.aborted && (this.#isFaulty || !this.#isWoken);
      if (mayRest) await this.#rest(fault === undefined ? this.#polling.every : this.#pauseAfter(fault, faults));
    }
  }

  /** Runs a pass. Returns its fault; undefined if it succeeded, or ended because of a stop. */
  async #pass(signal: AbortSignal, faults: number): Promise<{ readonly error: unknown } | undefined> {
    const { timer, log, work } = this.#scope;
    const { name } = this.#polling;
    const figures = work.poller(name);
    const began = timer.now();
    try {
      await this.#polling.pass(signal);
      if (faults > 0) log.info({ poller: name, faults }, 'a poller works again');
      return undefined;
    } catch (error) {
      if (signal.aborted && error === signal.reason) return undefined;
      figures.faults += 1;
      if (!isTransient(error)) log.error({ err: error, poller: name }, 'a run of a poller failed');
      else if (faults === 0) log.warn({ err: error, poller: name }, 'a poller failed and retries until it works');
      return { error };
    } finally {
      figures.passes.observe((timer.now() - began) / 1_000);
    }
  }

  #pauseAfter({ error }: { readonly error: unknown }, faults: number): number {
    const { every } = this.#polling;
    const longer = Math.min(Math.min(every, backoff.first) * 2 ** (faults - 1), backoff.max);
    return isTransient(error) ? longer : Math.max(every, longer);
  }

  /** Pauses until the shared moment that is nearest to the end of the pause, unless it is shorter than their distance. */
  async #rest(milliseconds: number): Promise<void> {
    const { timer } = this.#scope;
    this.#pause = new AbortController();
    const now = timer.now();
    const moment = Math.round((now + milliseconds - this.#phase) / wakeEvery) * wakeEvery + this.#phase;
    const pause = milliseconds < wakeEvery ? milliseconds : Math.ceil(moment - now);
    await timer.sleep(pause, this.#pause.signal).catch(() => undefined);
  }
}
