import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import type { Log } from '#contract/process-context.ts';
import { type ChildSpec, describeExit, launchChild, type RunningChild } from '#world/child-process.ts';

/** How many restarts are borne, and within which time; one more, and the supervisor gives up. */
export interface Intensity {
  readonly restarts: number;
  readonly withinMs: number;
}

export interface SupervisorOptions {
  readonly log: Log;
  /** Called once, after everything was stopped, with why the supervisor gave up. */
  readonly onGaveUp: (why: Failure) => void;
  readonly intensity?: Intensity;
  /** How long stopping all children may take, in milliseconds. */
  readonly stopWithin?: number;
  /** The pause before the first restart, in milliseconds; each further one within the intensity's time doubles it. */
  readonly firstPause?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

interface Place {
  readonly spec: ChildSpec;
  child: RunningChild | undefined;
}

/**
 * Keeps child processes running, as a supervisor of OTP does: they start in the order in which they are given, one that
 * ends is started again, too many restarts stop them all, and a stop takes them in reverse.
 */
export class Supervisor {
  readonly #log: Log;
  readonly #onGaveUp: (why: Failure) => void;
  readonly #intensity: Intensity;
  readonly #stopWithin: number;
  readonly #firstPause: number;
  readonly #now: () => number;
  readonly #places: Place[] = [];
  readonly #stopping = new AbortController();
  readonly #launches = new Set<Promise<unknown>>();
  #restarts: number[] = [];
  #stopped: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#log = options.log;
    this.#onGaveUp = options.onGaveUp;
    this.#intensity = options.intensity ?? { restarts: 3, withinMs: 5 * 60_000 };
    this.#stopWithin = options.stopWithin ?? 9_000;
    this.#firstPause = options.firstPause ?? 250;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Starts a child after those before it, and keeps it running from then on.
   * @throws Failure `unavailable` where it does not become ready; it is not tried again then. `canceled` after a stop.
   */
  async start(spec: ChildSpec): Promise<RunningChild> {
    const place: Place = { spec, child: undefined };
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
      this.#log.info({ child: place.spec.name, childPid: child.pid }, 'a child is ready');
      void child.exited.then((exit) => {
        place.child = undefined;
        return this.#ended(place, describeExit(exit));
      });
      return child;
    } finally {
      this.#launches.delete(launch);
    }
  }

  /** A child ended: it is started again, after a pause, until it runs or the restarts are too many. */
  async #ended(place: Place, how: string): Promise<void> {
    const { name } = place.spec;
    let why = how;
    while (!this.#stopping.signal.aborted) {
      const recent = this.#countRestart();
      if (recent > this.#intensity.restarts) return this.#giveUp(name, why);
      this.#log.warn({ child: name, why, restart: recent }, 'a child ended and is started again');
      await delay(this.#firstPause * 2 ** (recent - 1), undefined, { signal: this.#stopping.signal }).catch(() => {});
      try {
        await this.#launch(place);
        return;
      } catch (error) {
        why = error instanceof Error ? error.message : String(error);
      }
    }
  }

  /** Notes a restart now, and gives how many there were within the intensity's time. */
  #countRestart(): number {
    const now = this.#now();
    this.#restarts = [...this.#restarts.filter((at) => now - at < this.#intensity.withinMs), now];
    return this.#restarts.length;
  }

  async #giveUp(name: string, why: string): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { restarts, withinMs } = this.#intensity;
    const failure = new Failure(
      'unavailable',
      `${name} ended once more (${why}) after ${restarts} restarts within ${Math.round(withinMs / 1000)} s: giving up. ` +
        `Its log says why; mend that and start again.`,
    );
    this.#log.fatal({ child: name, err: failure }, 'too many restarts: everything is stopped');
    await this.stop();
    this.#onGaveUp(failure);
  }

  async #stopAll(): Promise<void> {
    this.#stopping.abort(new Failure('canceled', 'muster is stopping'));
    const end = this.#now() + this.#stopWithin;
    await Promise.allSettled(this.#launches);
    const running = this.#places.flatMap(({ spec, child }) => (child ? [{ name: spec.name, child }] : [])).toReversed();
    for (const [index, { name, child }] of running.entries()) {
      // What is left of the time is shared fairly, so that one child that hangs cannot use up that of the others.
      const grace = Math.max(0, end - this.#now()) / (running.length - index);
      const exit = await child.stop(grace);
      this.#log.info({ child: name, exit: describeExit(exit) }, 'a child was stopped');
    }
  }
}
