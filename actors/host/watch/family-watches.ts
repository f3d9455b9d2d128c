import type { Roster } from '#actors/host/agent/roster.ts';
import type { ObservePane } from '#actors/host/reading/observation.ts';
import { runningTerminal, withTerminal } from '#actors/host/typing/terminal-mutex.ts';
import type { Log } from '#contract/process-context.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import type { LivenessSweep } from './liveness-sweep.ts';
import { PaneWatch } from './pane-watch.ts';

export interface FamilyWatchesOptions {
  readonly terminals: Terminals;
  readonly actors: Roster;
  readonly observePane: ObservePane;
  readonly clock: Timer;
  readonly log: Log;
  readonly sweep: () => LivenessSweep;
  /** The limit that an agent exceeded, in words; undefined if there is none. */
  readonly exceeded: (agentId: string) => string | undefined;
  /** Aborted when the host stops. */
  readonly signal: AbortSignal;
}

/** The watches on the families' terminals, each for as long as the family has an actor here. */
export class FamilyWatches {
  readonly #options: FamilyWatchesOptions;
  readonly #watches = new Map<string, PaneWatch>();

  constructor(options: FamilyWatchesOptions) {
    this.#options = options;
  }

  /** The family's watch, if there is one already. */
  known(family: string): PaneWatch | undefined {
    return this.#watches.get(family);
  }

  /** The watch on the family's current terminal, created if needed; undefined if no terminal is running. */
  async of(family: string): Promise<PaneWatch | undefined> {
    const { terminals, actors, observePane, clock, log, sweep, exceeded, signal } = this.#options;
    const terminal = await runningTerminal(terminals, family);
    if (!terminal || signal.aborted) return undefined;
    const known = this.#watches.get(family);
    if (known?.terminal === terminal) return known;
    known?.stop();
    const watch = new PaneWatch({
      family,
      terminal,
      endReason: terminals.endReason,
      actors,
      observePane,
      clock,
      log,
      exceeded,
      suspect: (suspicion) => sweep().deathDetector.suspect(suspicion),
      onPanes: () => sweep().of(family),
    });
    this.#watches.set(family, watch);
    return watch;
  }

  /** Stops watching a family that no longer has an actor here, and releases its terminal. */
  end(family: string): void {
    const { terminals, actors, log } = this.#options;
    this.#watches.get(family)?.stop();
    this.#watches.delete(family);
    withTerminal(family, async () => {
      if (actors.of(family).size === 0) await terminals.release(family);
    }).catch((err: unknown) => log.warn({ err, family }, 'a terminal could not be released'));
  }

  /** Stops all watches. */
  stop(): void {
    for (const watch of this.#watches.values()) watch.stop();
    this.#watches.clear();
  }
}
