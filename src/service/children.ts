import { RestartIntensity } from '#actors/restart-intensity.ts';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { type ChildSpec, describeExit, launchChild, type RunningChild } from '#world/child-process.ts';
import { answersHttp } from '#world/http-probe.ts';
import { systemTimer, type Timer } from '#world/timer.ts';
import { defaultHealthLimits, type HealthLimits, type HealthSubject, tendHealth } from './child-health.ts';

/** How many restarts a child may have within how long; one more, and the supervisor gives up. */
const mostRestarts = 3;
const restartsWithinMs = 5 * 60_000;

export interface SupervisorOptions {
  readonly log: Log;
  /** Called once, after everything was stopped, with why the supervisor gave up. */
  readonly onGaveUp: (why: Failure) => void;
  /** How long stopping all children may take, in milliseconds. */
  readonly stopWithin?: number;
  /** The pause before a restart, in milliseconds; each try that fails doubles it. */
  readonly pause?: number;
  readonly clock?: Timer;
  /** When a child that answers HTTP is taken for hung. */
  readonly health?: HealthLimits;
}

interface Place {
  readonly spec: ChildSpec;
  child: RunningChild | undefined;
  /** Whether it was ended before because it hung. */
  hungBefore: boolean;
}

/** How long a child that hangs may take to end by itself, in milliseconds. */
const hungGraceMs = 1_000;

/**
 * Keeps child processes running, as a supervisor of OTP does: they start in the order in which they are given, one that
 * ends is started again, too many restarts stop them all, and a stop takes them in reverse.
 */
export class Supervisor {
  readonly #log: Log;
  readonly #onGaveUp: (why: Failure) => void;
  readonly #stopWithin: number;
  readonly #pause: number;
  readonly #clock: Timer;
  readonly #health: HealthLimits;
  readonly #intensity: RestartIntensity;
  readonly #places: Place[] = [];
  readonly #stopping = new AbortController();
  readonly #launches = new Set<Promise<unknown>>();
  #stopped: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    const { log, onGaveUp, stopWithin = 9_000, pause = 250, clock = systemTimer } = options;
    this.#health = options.health ?? defaultHealthLimits;
    this.#log = log;
    this.#onGaveUp = onGaveUp;
    this.#stopWithin = stopWithin;
    this.#pause = pause;
    this.#clock = clock;
    this.#intensity = new RestartIntensity(clock, mostRestarts, restartsWithinMs);
  }

  /**
   * Starts a child after those before it, and keeps it running from then on.
   * @throws Failure `unavailable` where it does not become ready; it is not tried again then. `canceled` after a stop.
   */
  async start(spec: ChildSpec): Promise<RunningChild> {
    const place: Place = { spec, child: undefined, hungBefore: false };
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
      this.#log.debug({ child: place.spec.name, childPid: child.pid }, 'a child is ready');
      const gone = new AbortController();
      if (place.spec.answersHttp) void this.#tendHealth(place, child, gone.signal);
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

  /** Ends a child that runs and does not answer: that it ended is then seen as of any other. */
  async #tendHealth(place: Place, child: RunningChild, gone: AbortSignal): Promise<void> {
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
      if (await tendHealth(subject, tending, this.#log)) place.hungBefore = true;
    } catch (error) {
      if (!signal.aborted)
        this.#log.error({ child: place.spec.name, err: error }, 'a child is not looked after any more');
    }
  }

  /** A child ended: it is started again, after a pause, until it runs or has used up its restarts. */
  async #ended(place: Place, how: string): Promise<void> {
    const { name } = place.spec;
    const signal = this.#stopping.signal;
    let why = how;
    for (let pause = this.#pause; !signal.aborted; pause *= 2) {
      if (!this.#intensity.allows(name)) return this.#giveUp(name, why);
      this.#log.warn({ child: name, why }, 'a child ended and is started again');
      try {
        await this.#clock.sleep(pause, signal);
        await this.#launch(place);
        return;
      } catch (error) {
        why = error instanceof Error ? error.message : String(error);
      }
    }
  }

  async #giveUp(name: string, why: string): Promise<void> {
    const failure = new Failure(
      'unavailable',
      `${name} ended once more (${why}) after ${mostRestarts} restarts within ${restartsWithinMs / 60_000} minutes, ` +
        'so everything is stopped. Its log says why; mend that and start again.',
    );
    this.#log.fatal({ child: name, err: failure }, 'too many restarts');
    await this.stop();
    this.#onGaveUp(failure);
  }

  async #stopAll(): Promise<void> {
    this.#stopping.abort(new Failure('canceled', 'muster is stopping'));
    const end = performance.now() + this.#stopWithin;
    await Promise.allSettled(this.#launches);
    const running = this.#places.flatMap(({ spec, child }) => (child ? [{ name: spec.name, child }] : [])).toReversed();
    for (const [index, { name, child }] of running.entries()) {
      // What is left of the time is shared fairly, so that one child that hangs cannot use up that of the others.
      const grace = Math.max(0, end - performance.now()) / (running.length - index);
      const exit = await child.stop(grace);
      this.#log.debug({ child: name, exit: describeExit(exit) }, 'a child was stopped');
    }
  }
}
