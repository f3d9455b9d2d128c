import type { Log } from '#contract/process-context.ts';
import type { Terminals } from '#world/terminal.ts';
import type { Timer } from '#world/timer.ts';
import type { AgentActor } from './agent-actor.ts';
import { Coroner } from './coroner.ts';
import type { PaneWatch } from './pane-watch.ts';
import { unlessWithin } from './patience.ts';

/** How long a terminal may take to tell its panes before its agents' rows say that it does not answer; in milliseconds. */
const answerMs = 2_000;

export interface RollCallOptions {
  readonly actors: ReadonlyMap<string, AgentActor>;
  /** The family's watch on the terminal that it has now; undefined where no terminal runs. */
  readonly watchOf: (family: string) => Promise<PaneWatch | undefined>;
  readonly terminals: Terminals;
  readonly clock: Timer;
  readonly log: Log;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * Compares who should be alive with who is, each family by itself: one whose terminal does not answer holds up no other. A
 * count that fails is nobody's death: the rows say that there is no answer, and their states stay.
 */
export class RollCall {
  readonly coroner: Coroner;
  readonly #options: RollCallOptions;
  /** Families whose panes are being counted. */
  readonly #counting = new Set<string>();

  constructor(options: RollCallOptions) {
    this.#options = options;
    const panes = (): number =>
      [...options.actors.values()].filter(({ context }) => context.paneId !== undefined).length;
    this.coroner = new Coroner({ ...options, panes });
  }

  /** Counts every family's panes. */
  all(): void {
    for (const family of new Set([...this.#options.actors.values()].map(({ record }) => record.family)))
      this.of(family);
  }

  /** Counts one family's panes, unless that is under way. */
  of(family: string): void {
    if (this.#counting.has(family) || this.#options.signal.aborted) return;
    this.#counting.add(family);
    void this.#call(family).finally(() => this.#counting.delete(family));
  }

  async #call(family: string): Promise<void> {
    const { clock, log } = this.#options;
    const doubt = (): void => {
      for (const { actor } of this.#expected(family)) {
        actor.send({ type: 'DOUBTED', reason: 'its terminal does not answer' });
      }
    };
    try {
      await unlessWithin(clock, answerMs, () => this.#count(family), doubt);
    } catch (err) {
      log.warn({ err, family }, 'the panes of a family could not be counted');
      doubt();
    }
  }

  async #count(family: string): Promise<void> {
    const expected = this.#expected(family);
    if (expected.length === 0) return;
    const watch = await this.#options.watchOf(family);
    if (watch) return watch.sweep();
    for (const { actor, paneId } of expected) {
      const { briefed } = actor.context;
      this.coroner.suspect({
        actor,
        paneId,
        gone: { type: 'PANE_GONE', reason: this.#options.terminals.endReason, briefed },
      });
    }
  }

  /** The agents of a family that have a pane, as far as they know. */
  #expected(family: string): { actor: AgentActor; paneId: string }[] {
    return [...this.#options.actors.values()].flatMap((actor) => {
      const { paneId } = actor.context;
      return actor.record.family === family && paneId !== undefined ? [{ actor, paneId }] : [];
    });
  }
}
