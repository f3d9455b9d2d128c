import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { runningTerminal } from '#actors/host/typing/terminal-mutex.ts';
import { ringPane } from '#bus/bells.ts';
import type { Bus } from '#bus/bus.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { Terminal, Terminals } from '#world/terminal/terminal.ts';

/** How long hints are sent after the last request for a pane, in milliseconds. A watcher repeats its request sooner. */
const watchedMs = 35_000;
/** The shortest time between two hints about a pane, in milliseconds. */
const between = 100;

export interface PaneAudienceOptions {
  readonly actor: (agentId: string) => AgentActor | undefined;
  readonly terminals: Terminals;
  readonly bus: Bus;
  readonly clock: Timer;
}

/** Publishes hints about changes of agents' panes while they are watched. */
export class PaneAudience {
  readonly #options: PaneAudienceOptions;
  readonly #seats = new Map<string, Seat>();

  constructor(options: PaneAudienceOptions) {
    this.#options = options;
  }

  /** Called for each request of a watcher: publishes hints about the agent's pane for a while. */
  async attend(agentId: string): Promise<void> {
    const { actor, terminals, bus, clock } = this.#options;
    const found = actor(agentId);
    const paneId = found?.context.paneId;
    const terminal = found && paneId !== undefined && (await runningTerminal(terminals, found.record.family));
    if (!terminal) return;
    const known = this.#seats.get(agentId);
    if (known?.isAt(terminal, paneId)) {
      known.stay();
      return;
    }
    known?.leave();
    const seat = new Seat({
      terminal,
      paneId,
      clock,
      ring: () => ringPane(bus, agentId),
      left: () => this.#seats.get(agentId) === seat && this.#seats.delete(agentId),
    });
    this.#seats.set(agentId, seat);
  }

  /** Stops the hints about an agent's pane. */
  forget(agentId: string): void {
    this.#seats.get(agentId)?.leave();
  }

  /** Stops all hints. */
  stop(): void {
    for (const seat of this.#seats.values()) seat.leave();
  }
}

interface SeatOptions {
  readonly terminal: Terminal;
  readonly paneId: string;
  readonly clock: Timer;
  readonly ring: () => void;
  readonly left: () => void;
}

/** A pane that is watched. */
class Seat {
  readonly #options: SeatOptions;
  readonly #unlisten: () => void;
  readonly #end: NodeJS.Timeout;
  #rungAt = Number.NEGATIVE_INFINITY;
  #late: NodeJS.Timeout | undefined;

  constructor(options: SeatOptions) {
    const { terminal, paneId } = options;
    this.#options = options;
    this.#unlisten = terminal.onHint((hint) => {
      if (hint.kind !== 'output' || hint.paneId === paneId) this.#ring();
    });
    this.#end = setTimeout(() => this.leave(), watchedMs);
  }

  isAt(terminal: Terminal, paneId: string): boolean {
    return this.#options.terminal === terminal && this.#options.paneId === paneId && !terminal.released;
  }

  stay(): void {
    this.#end.refresh();
  }

  leave(): void {
    this.#unlisten();
    clearTimeout(this.#end);
    clearTimeout(this.#late);
    this.#options.left();
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
