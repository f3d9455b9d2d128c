import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { unlessWithin } from '#actors/host/agent/retry.ts';
import type { Log } from '#contract/process-context.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { seemsHostFault } from '#machines/host/host-fault.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { Pane, Terminals } from '#world/terminal/terminal.ts';

/** Panes that seem to end within this time are checked together; in milliseconds. */
const gatherMs = 500;
/** Panes that end within this time count as ending at once; in milliseconds. */
const atOnceMs = 5_000;
/** How long a terminal may take to answer before the agents' rows show doubt; in milliseconds. */
const answerMs = 1_000;

/** A pane that seems to have ended, and the event its agent gets once that is certain. */
export interface Suspicion {
  readonly actor: AgentActor;
  readonly paneId: string;
  readonly gone: Extract<AgentEvent, { type: 'PANE_GONE' }>;
}

export interface DeathDetectorOptions {
  readonly terminals: Terminals;
  readonly clock: Timer;
  readonly log: Log;
  /** Aborted when the host stops. */
  readonly signal: AbortSignal;
  /** How many agents have a pane by their records, including those whose pane seems to have ended. */
  readonly panes: () => number;
}

/**
 * Declares agents' panes ended, but only after their terminal has confirmed it: a pane that was merely not seen is not
 * dead. If most of a host's panes end at once, the rows say so, because then the cause is the machine, not the agents.
 */
export class DeathDetector {
  readonly #options: DeathDetectorOptions;
  readonly #suspicions = new Map<string, Suspicion>();
  #gathering = false;
  /** When panes were declared ended, within the last `atOnceMs`. */
  #declared: number[] = [];

  constructor(options: DeathDetectorOptions) {
    this.#options = options;
  }

  suspect(suspicion: Suspicion): void {
    const { clock, log, signal } = this.#options;
    this.#suspicions.set(suspicion.actor.record.id, suspicion);
    if (this.#gathering) return;
    this.#gathering = true;
    clock
      .sleep(gatherMs, signal)
      .then(() => this.#confirmDeaths())
      .catch((err: unknown) => {
        if (!signal.aborted) log.error({ err }, 'ended panes could not be reported');
      });
  }

  async #confirmDeaths(): Promise<void> {
    this.#gathering = false;
    const suspicions = [...this.#suspicions.values()].filter(isCurrent);
    this.#suspicions.clear();
    const many = this.#many(suspicions.length);
    if (many) this.#options.log.error({ many }, 'most panes seem to have ended at once');
    const families = Map.groupBy(suspicions, ({ actor }) => actor.record.family);
    await Promise.all([...families].map(([family, members]) => this.#ask(family, members, many)));
  }

  /** A text such as "5 of 6 panes" if most panes end at once; otherwise undefined. */
  #many(suspected: number): string | undefined {
    const now = this.#options.clock.now();
    this.#declared = this.#declared.filter((at) => now - at < atOnceMs);
    const ended = suspected + this.#declared.length;
    const all = this.#options.panes() + this.#declared.length;
    return seemsHostFault(ended, all) ? `${ended} of ${all} panes` : undefined;
  }

  /** Asks one family's terminal. If it does not answer, the next sweep suspects its panes again. */
  async #ask(family: string, suspicions: readonly Suspicion[], many: string | undefined): Promise<void> {
    const { terminals, clock, log } = this.#options;
    const seems = many ? `${many} seem to have ended at once` : 'its pane seems to have ended';
    const doubt = (): void => {
      const reason = `${seems}, and tmux has not said so yet`;
      for (const { actor } of suspicions.filter(isCurrent)) actor.send({ type: 'DOUBTED', reason });
    };
    try {
      const panes = await unlessWithin(clock, answerMs, () => terminals.ask(family), doubt);
      for (const suspicion of suspicions.filter(isCurrent)) this.#certify(suspicion, panes ?? [], many);
    } catch (err) {
      log.warn({ err, family }, 'tmux does not report whether panes have ended');
      doubt();
    }
  }

  #certify({ actor, gone }: Suspicion, panes: readonly Pane[], many: string | undefined): void {
    const { clock, log } = this.#options;
    if (panes.some(({ agentId, dead }) => agentId === actor.record.id && !dead)) {
      log.warn({ agentId: actor.record.id }, 'a pane that seemed to have ended is alive');
      return;
    }
    this.#declared.push(clock.now());
    const reason = many ? `${gone.reason} (${many} ended at once)` : gone.reason;
    actor.send({ ...gone, reason, at: clock.now() });
  }
}

/** Whether the agent still has the pane that was suspected. */
function isCurrent({ actor, paneId }: Suspicion): boolean {
  return actor.context.paneId === paneId;
}
