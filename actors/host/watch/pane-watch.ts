import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import type { Roster } from '#actors/host/agent/roster.ts';
import { cliOf, type Observation, type ObservePane, sightingOf } from '#actors/host/reading/observation.ts';
import type { Log } from '#contract/process-context.ts';
import type { AgentContext } from '#machines/agent/agent-context.ts';
import { settleMs, settles } from '#machines/settle.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { Terminal, TerminalHint } from '#world/terminal/terminal.ts';
import type { Suspicion } from './death-detector.ts';
import { paneGone } from './exit-reason.ts';
import { ObservationSchedule } from './observation-schedule.ts';
import { gatherMs, SeenPane } from './seen-pane.ts';
import type { Verdict } from './self-report-check.ts';

/** How long after a look that failed it is tried again, in milliseconds. */
const againMs = 1_000;
/** For how long words before the cursor may yet become a question, and how often that is looked at, in milliseconds. */
const mayAskMs = 3_000;
const askAgainMs = 250;
/** How often panes are counted of which nothing shows that they could have moved, in milliseconds. */
const recountMs = 30_000;

export interface PaneWatchOptions {
  readonly family: string;
  readonly terminal: Terminal;
  /** The reason reported for agents when the terminal has ended. */
  readonly endReason: string;
  readonly actors: Roster;
  readonly observePane: ObservePane;
  readonly clock: Timer;
  readonly log: Log;
  /** Called with a pane that seems to have ended. */
  readonly suspect: (suspicion: Suspicion) => void;
  /** Called when the terminal says that panes have come or gone. */
  readonly onPanes: () => void;
}

/** What a look has shown, and what it came to. */
interface Judged {
  readonly seen: SeenPane;
  readonly observation: Observation;
  readonly verdict: Verdict;
  readonly now: number;
}

/** Watches the panes of one family and reports readings and deaths to the actors. */
export class PaneWatch {
  readonly terminal: Terminal;
  readonly #options: PaneWatchOptions;
  readonly #schedule: ObservationSchedule;
  readonly #seen = new Map<string, SeenPane>();
  readonly #leave: () => void;
  /** When the panes were counted last. */
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(options: PaneWatchOptions) {
    const { terminal, clock, onPanes } = options;
    this.#options = options;
    this.terminal = terminal;
    this.#schedule = new ObservationSchedule(clock, (paneId) => this.#lookOnce(paneId));
    this.#leave = terminal.onHint((hint) => {
      if (hint.kind === 'output') this.#written(hint);
      else onPanes();
    });
  }

  /** Looks at a pane now, hint or no hint. */
  glance(paneId: string): void {
    this.#schedule.ask(paneId, 0);
  }

  /** For how long a pane has shown a screen, in milliseconds; 0 if it showed another one when it was looked at last. */
  unchangedMs(paneId: string, digest: string): number {
    return this.#seen.get(paneId)?.unchangedMs(digest, this.#options.clock.now()) ?? 0;
  }

  /** For how long a question has stood in a pane on this screen, in milliseconds; 0 where another one did, or none. */
  stoodMs(paneId: string, screen: string): number {
    return this.#seen.get(paneId)?.stoodMs(screen, this.#options.clock.now()) ?? 0;
  }

  /** What a pane came to when it was looked at last; undefined before the first look. */
  verdict(paneId: string): Verdict | undefined {
    return this.#seen.get(paneId)?.verdict;
  }

  stop(): void {
    this.#schedule.stop();
    this.#leave();
  }

  /**
   * Whether a sweep would find what the last one found: nothing shows from outside that any pane could have come or
   * gone, and each was seen. From time to time that is not taken for granted.
   */
  isCalm(): boolean {
    if (this.#options.clock.now() - this.#countedAt >= recountMs) return false;
    const panes = this.terminal.knownPanes();
    if (panes === undefined) return false;
    return this.#members().every(({ record, context: { paneId, doubted } }) => {
      if (paneId === undefined) return true;
      const isAlive = panes.some((pane) => pane.agentId === record.id && pane.paneId === paneId && !pane.dead);
      return isAlive && this.#seen.has(paneId) && !doubted;
    });
  }

  /**
   * Compares which panes should be alive with what tmux says: the only truth about life and death. A pane that is alive
   * and was seen is not looked at, unless it was doubted: it says on its own when it moves.
   */
  async sweep(): Promise<void> {
    const { observePane, endReason, clock, suspect } = this.#options;
    const asked = this.#members().map((actor) => ({ actor, paneId: actor.context.paneId }));
    const panes = await this.terminal.panes();
    this.#countedAt = clock.now();
    for (const known of this.#seen.keys()) if (!panes.some(({ paneId }) => paneId === known)) this.#seen.delete(known);
    for (const { actor, paneId } of asked) {
      if (paneId === undefined || paneId !== actor.context.paneId) continue;
      const pane = panes.find(({ agentId }) => agentId === actor.record.id);
      if (pane && !pane.dead) {
        if (!this.#seen.has(pane.paneId) || actor.context.doubted) this.#schedule.ask(pane.paneId, 0);
      } else {
        const gone = await paneGone(
          { observePane, terminal: this.terminal, endReason },
          pane,
          cliOf(actor.record, actor.context),
        );
        suspect({ actor, paneId, gone });
      }
    }
  }

  #members(): AgentActor[] {
    return [...this.#options.actors.of(this.#options.family)];
  }

  #written({ paneId, frames }: Extract<TerminalHint, { kind: 'output' }>): void {
    const calm = frames && this.#seen.get(paneId)?.calmAfter(frames, this.#options.clock.now());
    this.#schedule.ask(paneId, calm ?? gatherMs);
  }

  /** Looks once; answers after how many milliseconds it wants to look again, or undefined. */
  async #lookOnce(paneId: string): Promise<number | undefined> {
    const actor = this.#members().find(({ context }) => context.paneId === paneId);
    if (!actor) return undefined;
    const { observePane, log, clock } = this.#options;
    const heard = this.#seen.get(paneId)?.begin(clock.now());
    try {
      const observation = await observePane(this.terminal, paneId, cliOf(actor.record, actor.context));
      if (!observation || observation.capture.dead || actor.context.paneId !== paneId) return undefined;
      const again = [this.#report(actor, paneId, observation, heard), this.#maybeAsksIn(paneId, observation)];
      const soonest = Math.min(...again.filter((ms) => ms !== undefined));
      return Number.isFinite(soonest) ? soonest : undefined;
    } catch (error) {
      // Closed with its last agent, or taken over by another watch.
      if (this.terminal.released) return undefined;
      log.warn({ err: error, paneId }, 'a pane could not be captured');
      return againMs;
    }
  }

  /** A program writes its question first and waits then, without another byte: it is checked again for a while. */
  #maybeAsksIn(paneId: string, { digest, capture }: Observation): number | undefined {
    const mayYetAsk = capture.awaitsLine === false && this.unchangedMs(paneId, digest) < mayAskMs;
    return mayYetAsk ? askAgainMs : undefined;
  }

  #report(
    actor: AgentActor,
    paneId: string,
    observation: Observation,
    heard?: ReadonlySet<number>,
  ): number | undefined {
    const now = this.#options.clock.now();
    const seen = this.#seen.get(paneId) ?? new SeenPane(now);
    this.#seen.set(paneId, seen);
    seen.show(observation, now);
    const { said } = observation;
    if (said !== undefined && said !== actor.context.report?.reason) {
      actor.send({ type: 'REPORTED', report: { reason: said, at: now } });
    }
    const verdict = seen.judge(observation, actor.context, now);
    const again = this.#pass(actor, { seen, observation, verdict, now }, heard);
    return again === undefined ? verdict.againMs : Math.min(again, verdict.againMs ?? again);
  }

  /** Passes a verdict on to the actor once it counts, if it is news. */
  #pass(
    actor: AgentActor,
    { seen, observation, verdict, now }: Judged,
    heard?: ReadonlySet<number>,
  ): number | undefined {
    const { reading, why } = verdict;
    const unchangedMs = seen.unchangedMs(observation.digest, now);
    const { state, reason, asked = '', drafted = false }: AgentContext = actor.context;
    if (actor.typedAt && reading.state !== 'AGENT_STATE_WAITING') return settleMs;
    // What goes beyond the screen has stood for longer than a screen must.
    if (why === '' && !settles(state, reading, unchangedMs)) return settleMs - unchangedMs;
    if (reading.state === state && reading.reason === reason && (reading.drafted ?? false) === drafted) {
      const waitMs = (reading.asked ?? '') === asked ? undefined : seen.asksNextIn(now);
      if (waitMs === undefined && heard) seen.markAsNoise(heard);
      if (waitMs !== 0) return waitMs ?? (seen.isTurning ? againMs : undefined);
    }
    if (seen.changed(reading, actor.record.version, now)) {
      actor.send({ type: 'READING', reading, sighting: sightingOf(observation) });
    }
    return seen.isTurning ? againMs : undefined;
  }
}
