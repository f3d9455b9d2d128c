import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { runningTerminal } from '#actors/host/typing/terminal-mutex.ts';
import type { Bus } from '#bus/bus.ts';
import { hintPane } from '#bus/hints.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';

/** How long hints are sent after the last request for a pane, in milliseconds. A watcher repeats its request sooner. */
const watchedMs = 35_000;
/** The shortest time between two hints about a pane, in milliseconds. */
const between = 100;

export interface PaneHintsOptions {
  readonly hostId: string;
  readonly actor: (agentId: string) => AgentActor | undefined;
  readonly terminals: Terminals;
  readonly bus: Bus;
  readonly clock: Timer;
}

/** Publishes hints about changes of agents' panes while they are watched. */
export class PaneHints {
  readonly #options: PaneHintsOptions;
  readonly #watched = new Map<string, WatchedPane>();

  constructor(options: PaneHintsOptions) {
    this.#options = options;
  }

  /** Called for each request of a watcher: publishes hints about the agent's pane for a while. */
  async watch(agentId: string): Promise<void> {
    const { hostId, actor, terminals, bus, clock } = this.#options;
    const found = actor(agentId);
    const paneId = found?.context.paneId;
    const terminal = found && paneId !== undefined && (await runningTerminal(terminals, found.record.family));
    if (!terminal) return;
    const known = this.#watched.get(agentId);
    if (known?.isAt(terminal, paneId)) {
      known.extend();
      return;
    }
    known?.end();
    const watched = new WatchedPane({
      terminal,
      paneId,
      clock,
      ring: () => hintPane(bus, hostId, agentId),
      ended: () => this.#watched.get(agentId) === watched && this.#watched.delete(agentId),
    });
    this.#watched.set(agentId, watched);
  }

  /** Stops the hints about an agent's pane. */
  forget(agentId: string): void {
    this.#watched.get(agentId)?.end();
  }

  /** Stops all hints. */
  stop(): void {
    for (const watched of this.#watched.values()) watched.end();
  }
}

interface WatchedPaneOptions {
  readonly terminal: Terminal;
  readonly paneId: string;
  readonly clock: Timer;
  readonly ring: () => void;
  readonly ended: () => void;
}

/** A pane that is watched. */
class WatchedPane {
  readonly #options: WatchedPaneOptions;
  readonly #unsubscribe: () => void;
  readonly #expiry: NodeJS.Timeout;
  #rungAt = Number.NEGATIVE_INFINITY;
  #late: NodeJS.Timeout | undefined;

  constructor(options: WatchedPaneOptions) {
    const { terminal, paneId } = options;
    this.#options = options;
    this.#unsubscribe = terminal.onHint((hint) => {
      if (hint.kind !== 'output' || hint.paneId === paneId) this.#ring();
    });
    this.#expiry = setTimeout(() => this.end(), watchedMs);
  }

  isAt(terminal: Terminal, paneId: string): boolean {
    return this.#options.terminal === terminal && this.#options.paneId === paneId && !terminal.released;
  }

  extend(): void {
    this.#expiry.refresh();
  }

  end(): void {
    this.#unsubscribe();
    clearTimeout(this.#expiry);
    clearTimeout(this.#late);
    this.#options.ended();
  }

  #ring(): void {
    if (this.#late !== undefined) return;
    const rest = this.#rungAt + between - this.#options.clock.now();
    if (rest <= 0) this.#ringNow();
    else this.#late = setTimeout(() => this.#ringNow(), rest);
  }

  #ringNow(): void {
    this.#late = undefined;
    this.#rungAt = this.#options.clock.now();
    this.#options.ring();
  }
}
