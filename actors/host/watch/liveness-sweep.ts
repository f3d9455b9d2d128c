import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { unlessWithin } from '#actors/host/agent/retry.ts';
import type { Roster } from '#actors/host/agent/roster.ts';
import { runningTerminal } from '#actors/host/typing/terminal-mutex.ts';
import type { Log } from '#contract/process-context.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import { DeathDetector } from './death-detector.ts';
import { terminalGone } from './exit-reason.ts';
import type { PaneWatch } from './pane-watch.ts';

/** How long a terminal may take to list its panes before its agents' rows show doubt; in milliseconds. */
const answerMs = 2_000;
/** How many terminals are asked at once. At a start, attaching to hundreds of them takes time. */
const maxConcurrent = 8;

export interface LivenessSweepOptions {
  readonly actors: Roster;
  /** The watch on the family's terminal, if there is one already. */
  readonly knownWatch: (family: string) => PaneWatch | undefined;
  /** The watch on the family's current terminal; undefined if no terminal is running. */
  readonly watchOf: (family: string) => Promise<PaneWatch | undefined>;
  readonly terminals: Terminals;
  /** Identifies this boot of the computer; undefined if the system has no id for it. */
  readonly boot?: string | undefined;
  readonly clock: Timer;
  readonly log: Log;
  /** Aborted when the host stops. */
  readonly signal: AbortSignal;
}

/**
 * Compares the expected panes with the existing ones, family by family. A terminal that does not answer yields its
 * turn, so that it does not delay other families. A failed sweep declares no pane ended: the rows show doubt, and the
 * states stay.
 */
export class LivenessSweep {
  readonly deathDetector: DeathDetector;
  readonly #options: LivenessSweepOptions;
  /** Families that are being swept or queued, and whether to sweep them again afterwards. */
  readonly #counting = new Map<string, boolean>();
  readonly #queue: string[] = [];
  #turns = 0;

  constructor(options: LivenessSweepOptions) {
    this.#options = options;
    const panes = (): number => [...options.actors.all()].filter(({ context }) => context.paneId !== undefined).length;
    this.deathDetector = new DeathDetector({ ...options, panes });
  }

  /** Sweeps every family, except those that are being swept. */
  all(): void {
    for (const family of this.#options.actors.families()) if (!this.#counting.has(family)) this.of(family);
  }

  /** Sweeps one family; if that is in progress, again afterwards. */
  of(family: string): void {
    if (this.#options.signal.aborted) return;
    const known = this.#counting.has(family);
    this.#counting.set(family, known);
    if (known) return;
    this.#queue.push(family);
    this.#next();
  }

  #next(): void {
    while (this.#turns < maxConcurrent) {
      const family = this.#queue.shift();
      if (family === undefined) return;
      this.#turns += 1;
      const leave = this.#leaver();
      void this.#call(family, leave).finally(() => {
        leave();
        const again = this.#counting.get(family);
        this.#counting.delete(family);
        if (again) this.of(family);
      });
    }
  }

  /** A function that passes the turn to the next family, the first time it is called. */
  #leaver(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#turns -= 1;
      this.#next();
    };
  }

  async #call(family: string, leave: () => void): Promise<void> {
    const { clock, log } = this.#options;
    const doubt = (): void => {
      for (const { actor } of this.#expected(family)) {
        actor.send({ type: 'DOUBTED', reason: 'its terminal does not answer' });
      }
    };
    const late = (): void => {
      leave();
      doubt();
    };
    try {
      if (await this.#isCalm(family)) return;
      await unlessWithin(clock, answerMs, () => this.#count(family), late);
    } catch (err) {
      log.warn({ err, family }, 'the panes of a family could not be counted');
      doubt();
    }
  }

  /** Whether the family's panes are unchanged since the last sweep. */
  async #isCalm(family: string): Promise<boolean> {
    const { knownWatch, terminals } = this.#options;
    const watch = knownWatch(family);
    return watch?.isCalm() === true && (await runningTerminal(terminals, family)) === watch.terminal;
  }

  async #count(family: string): Promise<void> {
    const expected = this.#expected(family);
    if (expected.length === 0) return;
    const watch = await this.#options.watchOf(family);
    if (watch) return watch.sweep();
    for (const { actor, paneId } of expected) {
      const { briefed, boot: opened } = actor.context;
      const { terminals, boot: current } = this.#options;
      this.deathDetector.suspect({
        actor,
        paneId,
        gone: terminalGone({ reason: terminals.endReason, briefed }, { opened, current }),
      });
    }
  }

  /** The agents of a family that have a pane by their records. */
  #expected(family: string): { actor: AgentActor; paneId: string }[] {
    return [...this.#options.actors.of(family)].flatMap((actor) => {
      const { paneId } = actor.context;
      return paneId === undefined ? [] : [{ actor, paneId }];
    });
  }
}
