import type { Log } from '#contract/process-context.ts';
import type { AgentContext } from '#machines/agent-context.ts';
import { settleMs, settles } from '#machines/settle.ts';
import type { Terminal } from '#world/terminal.ts';
import type { Timer } from '#world/timer.ts';
import type { AgentActor } from './agent-actor.ts';
import type { Suspicion } from './coroner.ts';
import { LookSchedule } from './look-schedule.ts';
import { paneGone } from './obituary.ts';
import { type Look, type Sight, sightingOf, toldOf } from './sight.ts';

/** A pane is looked at this long after its first hint, so that one look sees a whole redraw; in milliseconds. */
const gatherMs = 50;
/** How long after a look that failed it is tried again, in milliseconds. */
const againMs = 1_000;

export interface PaneWatchOptions {
  readonly family: string;
  readonly terminal: Terminal;
  /** What is told of agents where the terminal has ended. */
  readonly endReason: string;
  readonly actors: ReadonlyMap<string, AgentActor>;
  readonly look: Look;
  readonly clock: Timer;
  readonly log: Log;
  /** Called with a pane that seems to have ended. */
  readonly suspect: (suspicion: Suspicion) => void;
  /** Called when the terminal says that panes have come or gone. */
  readonly onPanes: () => void;
}

interface Seen {
  digest: string;
  since: number;
}

/** Watches the panes of one family and tells the actors what it sees: readings, and deaths. */
export class PaneWatch {
  readonly #family: string;
  readonly #look: Look;
  readonly terminal: Terminal;
  readonly #endReason: string;
  readonly #actors: ReadonlyMap<string, AgentActor>;
  readonly #clock: Timer;
  readonly #log: Log;
  readonly #suspect: PaneWatchOptions['suspect'];
  readonly #schedule: LookSchedule;
  readonly #seen = new Map<string, Seen>();
  readonly #leave: () => void;

  constructor({ family, terminal, endReason, actors, look, clock, log, suspect, onPanes }: PaneWatchOptions) {
    this.#family = family;
    this.terminal = terminal;
    this.#endReason = endReason;
    this.#actors = actors;
    this.#look = look;
    this.#clock = clock;
    this.#log = log;
    this.#suspect = suspect;
    this.#schedule = new LookSchedule(clock, (paneId) => this.#lookOnce(paneId));
    this.#leave = terminal.onHint((hint) => {
      if (hint.kind === 'output') this.#schedule.ask(hint.paneId, gatherMs);
      else onPanes();
    });
  }

  /** Looks at a pane now, hint or no hint. */
  glance(paneId: string): void {
    this.#schedule.ask(paneId, 0);
  }

  /** For how long a pane has shown a screen, in milliseconds; 0 where it showed another one when it was looked at last. */
  unchangedMs(paneId: string, digest: string): number {
    const seen = this.#seen.get(paneId);
    return seen?.digest === digest ? this.#clock.now() - seen.since : 0;
  }

  stop(): void {
    this.#schedule.stop();
    this.#leave();
  }

  /**
   * Compares which panes should be alive with what tmux says: the only truth about life and death. A pane that lives and
   * was seen is not looked at, unless it was doubted: it says by itself when it moves.
   */
  async sweep(): Promise<void> {
    const members = [...this.#actors.values()].filter(({ record }) => record.family === this.#family);
    const asked = members.map((actor) => ({ actor, paneId: actor.context.paneId }));
    const panes = await this.terminal.panes();
    for (const { actor, paneId } of asked) {
      if (paneId === undefined || paneId !== actor.context.paneId) continue;
      const pane = panes.find(({ agentId }) => agentId === actor.record.id);
      if (pane && !pane.dead) {
        if (!this.#seen.has(pane.paneId) || actor.context.doubted) this.#schedule.ask(pane.paneId, 0);
      } else {
        const place = { look: this.#look, terminal: this.terminal, endReason: this.#endReason };
        const gone = await paneGone(place, pane, actor.record.launch.harness);
        this.#suspect({ actor, paneId, gone });
      }
    }
  }

  /** Looks once; answers after how many milliseconds it wants to look again, or undefined. */
  async #lookOnce(paneId: string): Promise<number | undefined> {
    const actor = [...this.#actors.values()].find((one) => this.#isOf(one, paneId));
    if (!actor) return undefined;
    try {
      const sight = await this.#look(this.terminal, paneId, actor.record.launch.harness);
      if (!sight || sight.capture.dead || !this.#isOf(actor, paneId)) return undefined;
      return this.#tell(actor, paneId, sight);
    } catch (error) {
      // Closed with its last agent, or taken over by another watch.
      if (this.terminal.released) return undefined;
      this.#log.warn({ err: error, paneId }, 'a pane could not be looked at');
      return againMs;
    }
  }

  #isOf(actor: AgentActor, paneId: string): boolean {
    return actor.record.family === this.#family && actor.context.paneId === paneId;
  }

  #tell(actor: AgentActor, paneId: string, sight: Sight): number | undefined {
    const { digest } = sight;
    const reading = toldOf(sight);
    const now = this.#clock.now();
    const before = this.#seen.get(paneId);
    const since = before?.digest === digest ? before.since : now;
    this.#seen.set(paneId, { digest, since });
    const { state, reason, report }: AgentContext = actor.context;
    if (sight.said !== undefined && sight.said !== report?.reason) {
      actor.send({ type: 'REPORTED', report: { reason: sight.said, at: now } });
    }
    if (actor.typedAt && reading.state !== 'AGENT_STATE_WAITING') return settleMs;
    if (!settles(state, reading, now - since)) return settleMs - (now - since);
    if (reading.state !== state || reading.reason !== reason) {
      actor.send({ type: 'READING', reading, sighting: sightingOf(sight) });
    }
    return undefined;
  }
}
