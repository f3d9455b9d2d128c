import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { systemTimer, type Timer } from '#world/concurrency/timer.ts';
import { answersHttp } from '#world/net/http-probe.ts';
import { type ChildSpec, describeExit, launchChild, type RunningChild } from '#world/process/child-process.ts';
import { checkHealth, defaultHealthLimits, type HealthLimits, type HealthSubject } from './child-health.ts';

/** The maximum pause before a restart, and how long a child must run to reset the pause, in milliseconds. */
const maxPauseMs = 30_000;
const steadyMs = 60_000;
/** After how many restarts in a row the log level is error. */
const restartsToReport = 4;

export interface SupervisorOptions {
  readonly log: Log;
  /** How long it may take to stop all children, in milliseconds. */
  readonly stopWithin?: number;
  /** The pause before a first restart, in milliseconds. Further restarts soon after double it, up to half a minute. */
  readonly pause?: number;
  readonly clock?: Timer;
  /** When a child that answers HTTP counts as hung. */
  readonly health?: HealthLimits;
  /** Called when a child has ended: returns whether it is not to be restarted. */
  readonly isFinal?: (child: string) => boolean;
}

interface Place {
  readonly spec: ChildSpec;
  child: RunningChild | undefined;
  /** Whether it was ended before because it was hung. */
  hungBefore: boolean;
  /** How often it was restarted in a row, and when it was last ready. */
  restarts: number;
  readyAt: number;
}

/** How long a hung child may take to end on its own, in milliseconds. */
const hungGraceMs = 1_000;

/**
 * Keeps child processes running, like an OTP supervisor: it starts them in order, restarts one that ends, and stops
 * them in reverse order. It never gives up, because the cause may be temporary, such as a full disk, and the other
 * children are useful meanwhile. The pauses between restarts grow.
 */
export class Supervisor {
  readonly #log: Log;
  readonly #stopWithin: number;
  readonly #pause: number;
  readonly #clock: Timer;
  readonly #health: HealthLimits;
  readonly #isFinal: (child: string) => boolean;
  readonly #places: Place[] = [];
  readonly #stopping = new AbortController();
  readonly #launches = new Set<Promise<unknown>>();
  #stopped: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    const { log, stopWithin = 9_000, pause = 250, clock = systemTimer } = options;
    this.#health = options.health ?? defaultHealthLimits;
    this.#isFinal = options.isFinal ?? (() => false);
    this.#log = log;
    this.#stopWithin = stopWithin;
    this.#pause = pause;
    this.#clock = clock;
  }

  /**
   * Starts a child, and keeps it running from then on.
   * @throws UNAVAILABLE when it does not become ready, and is not retried; CANCELED after a stop
   */
  async start(spec: ChildSpec): Promise<RunningChild> {
    const place: Place = { spec, child: undefined, hungBefore: false, restarts: 0, readyAt: 0 };
    this.#places.push(place);
    return this.#launch(place);
  }

  /** Stops all children, the youngest first. May be called twice, and before any start. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #launch(place: Place): Promise<RunningChild> {
    const launch = launchChild(place.spec, this.#stopping.signal);
    this.#launches.add(launch);
    try {
      const child = await launch;
      place.child = child;
      place.readyAt = this.#clock.now();
      this.#log.debug({ child: place.spec.name, childPid: child.pid }, 'a child process is ready');
      const gone = new AbortController();
      if (place.spec.answersHttp) void this.#checkHealth(place, child, gone.signal);
      void child.exited.then((exit) => {
        gone.abort();
        place.child = undefined;
        return this.#ended(place, describeExit(exit));
      });
      return child;
    } finally {
      this.#launches.delete(launch);
    }
  }

  /** Ends a child that runs but does not answer. Its end is then handled like any other. */
  async #checkHealth(place: Place, child: RunningChild, gone: AbortSignal): Promise<void> {
    const { url } = child;
    if (url === undefined) return;
    const subject: HealthSubject = {
      name: place.spec.name,
      answers: (withinMs) => answersHttp(new URL('/healthz', url).href, withinMs),
      end: () => child.stop(hungGraceMs),
    };
    const { apartMs, everyMs } = this.#health;
    const signal = AbortSignal.any([gone, this.#stopping.signal]);
    const tending = { limits: this.#health, afterMs: place.hungBefore ? apartMs : everyMs, clock: this.#clock, signal };
    try {
      if (await checkHealth(subject, tending, this.#log)) place.hungBefore = true;
    } catch (error) {
      if (!signal.aborted)
        this.#log.error({ child: place.spec.name, err: error }, 'a child process is no longer supervised');
    }
  }

  /** Restarts a child that has ended, with pauses, until it runs. */
  async #ended(place: Place, how: string): Promise<void> {
    const { name } = place.spec;
    const signal = this.#stopping.signal;
    if (!signal.aborted && this.#isFinal(name)) return;
    if (this.#clock.now() - place.readyAt >= steadyMs) place.restarts = 0;
    let why = how;
    while (!signal.aborted) {
      const pauseMs = Math.min(maxPauseMs, this.#pause * 2 ** place.restarts);
      place.restarts += 1;
      const fields = { child: name, why, restarts: place.restarts, pauseMs };
      if (place.restarts < restartsToReport) this.#log.warn(fields, 'a child process ended: restarting it');
      else this.#log.error(fields, 'a child process keeps ending: restarting it');
      try {
        await this.#clock.sleep(pauseMs, signal);
        await this.#launch(place);
        return;
      } catch (error) {
        why = error instanceof Error ? error.message : String(error);
      }
    }
  }

  async #stopAll(): Promise<void> {
    this.#stopping.abort(new Failure('STOPPED', 'muster is stopping'));
    const end = performance.now() + this.#stopWithin;
    await Promise.allSettled(this.#launches);
    const running = this.#places.flatMap(({ spec, child }) => (child ? [{ name: spec.name, child }] : [])).toReversed();
    for (const [index, { name, child }] of running.entries()) {
      // The remaining time is shared equally, so that a hung child cannot use up that of the others.
      const grace = Math.max(0, end - performance.now()) / (running.length - index);
      const exit = await child.stop(grace);
      this.#log.debug({ child: name, exit: describeExit(exit) }, 'a child process was stopped');
    }
  }
}
