import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import type { Roster } from '#actors/host/agent/roster.ts';
import { cliOf, type Observation, type ObservePane, sightingOf } from '#actors/host/reading/observation.ts';
import type { Log } from '#contract/process-context.ts';
import type { AgentContext } from '#machines/agent/agent-context.ts';
import { continuesAsNoted } from '#machines/agent/noted-reading.ts';
import { silentMs } from '#machines/pane/region.ts';
import { settleMs, settles } from '#machines/settle.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import type { Terminal, TerminalHint } from '#world/terminal/terminal.ts';
import type { Suspicion } from './death-detector.ts';
import { paneGone } from './exit-reason.ts';
import { ObservationSchedule } from './observation-schedule.ts';
import { gatherMs, SeenPane } from './seen-pane.ts';
import type { CheckedReading } from './self-report-check.ts';

/** The pause before a failed observation is retried, in milliseconds. */
const againMs = 1_000;
/** How long text before the cursor may still become a question, and how often to check, in milliseconds. */
const mayAskMs = 3_000;
const askAgainMs = 250;
/** How often unchanged panes are swept anyway, in milliseconds. */
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
  /** The limit that an agent exceeded, in words; undefined if there is none. */
  readonly exceeded?: (agentId: string) => string | undefined;
  /** Called with a pane that seems to have ended. */
  readonly suspect: (suspicion: Suspicion) => void;
  /** Called when the terminal reports that panes were opened or closed. */
  readonly onPanes: () => void;
}

/** An observation and its checked reading. */
interface CheckedObservation {
  readonly seen: SeenPane;
  readonly observation: Observation;
  readonly checked: CheckedReading;
  readonly now: number;
}

/** Watches the panes of one family and reports readings and deaths to the actors. */
export class PaneWatch {
  readonly terminal: Terminal;
  readonly #options: PaneWatchOptions;
  readonly #schedule: ObservationSchedule;
  readonly #seen = new Map<string, SeenPane>();
  readonly #leave: () => void;
  /** When the panes were last swept. */
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

  /** Observes a pane now, without waiting for a hint. */
  glance(paneId: string): void {
    this.#schedule.ask(paneId, 0);
  }

  /** How long a pane has shown a screen, in milliseconds; 0 if the last observation showed another one. */
  unchangedMs(paneId: string, digest: string): number {
    return this.#seen.get(paneId)?.unchangedMs(digest, this.#options.clock.now()) ?? 0;
  }

  /** How long a pane has shown a question, in milliseconds; 0 if it shows another one or none. */
  questionMs(paneId: string, screen: string): number {
    return this.#seen.get(paneId)?.questionMs(screen, this.#options.clock.now()) ?? 0;
  }

  /** The checked reading of a pane; undefined before its first observation. */
  checkedReading(paneId: string): CheckedReading | undefined {
    return this.#seen.get(paneId)?.checked;
  }

  stop(): void {
    this.#schedule.stop();
    this.#leave();
  }

  /**
   * Whether a sweep would find nothing new: no sign from outside that a pane was opened or closed, and each was
   * observed. False from time to time, so that a sweep checks it.
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
   * Compares the panes that should exist with those that tmux lists, which alone decides whether a pane is alive. A
   * pane that is alive and was observed before is not observed again, unless in doubt: its hints report changes.
   */
  async sweep(): Promise<void> {
    const { observePane, endReason, clock, suspect, exceeded } = this.#options;
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
          {
            ...{ observePane, terminal: this.terminal, endReason },
            exceeded: exceeded?.(actor.record.id),
            isIsolated: actor.record.launch.isolation !== undefined,
          },
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

  /**
   * Observes a pane once. Returns the milliseconds until it should be observed again; undefined if at the next hint.
   */
  async #lookOnce(paneId: string): Promise<number | undefined> {
    const actor = this.#members().find(({ context }) => context.paneId === paneId);
    if (!actor) return undefined;
    const { observePane, log, clock } = this.#options;
    const frames = this.#seen.get(paneId)?.begin(clock.now());
    try {
      const observation = await observePane(this.terminal, paneId, cliOf(actor.record, actor.context));
      if (!observation || observation.capture.dead || actor.context.paneId !== paneId) return undefined;
      const again = [
        this.#report(actor, paneId, observation, frames),
        this.#maybeAsksIn(paneId, observation),
        maybeEndedIn(observation),
      ];
      const soonest = Math.min(...again.filter((ms) => ms !== undefined));
      return Number.isFinite(soonest) ? soonest : undefined;
    } catch (error) {
      // The terminal was closed with its last agent, or another watch has taken over.
      if (this.terminal.released) return undefined;
      log.warn({ err: error, paneId }, 'a pane could not be captured');
      return againMs;
    }
  }

  /**
   * A program writes a question before it waits, and then no further output. So a pane is checked again for a while.
   */
  #maybeAsksIn(paneId: string, { digest, capture }: Observation): number | undefined {
    const mayYetAsk = capture.awaitsLine === false && this.unchangedMs(paneId, digest) < mayAskMs;
    return mayYetAsk ? askAgainMs : undefined;
  }

  #report(
    actor: AgentActor,
    paneId: string,
    observation: Observation,
    frames?: ReadonlySet<number>,
  ): number | undefined {
    const now = this.#options.clock.now();
    const seen = this.#seen.get(paneId) ?? new SeenPane(now);
    this.#seen.set(paneId, seen);
    seen.show(observation, now);
    const { said } = observation;
    if (said !== undefined && said !== actor.context.report?.reason) {
      actor.send({ type: 'REPORTED', report: { reason: said, at: now } });
    }
    const checked = seen.judge(observation, actor.context, now);
    const again = this.#pass(actor, { seen, observation, checked, now }, frames);
    return again === undefined ? checked.againMs : Math.min(again, checked.againMs ?? again);
  }

  /** Sends a reading to the actor once the screen has settled, if it differs from the last one. */
  #pass(
    actor: AgentActor,
    { seen, observation, checked, now }: CheckedObservation,
    frames?: ReadonlySet<number>,
  ): number | undefined {
    const { reading, why } = checked;
    const unchangedMs = seen.unchangedMs(observation.digest, now);
    const { state, reason, asked = '', drafted = false }: AgentContext = actor.context;
    if (actor.isTyping && reading.state !== 'AGENT_STATE_WAITING') return settleMs;
    if (checked.heldMs !== undefined) return checked.heldMs;
    // A reading that does not come from the screen alone has already lasted long enough.
    if (why === '' && !settles(state, reading, unchangedMs)) return settleMs - unchangedMs;
    const isSameDraft = (reading.drafted ?? false) === drafted;
    const isSameLimit = continuesAsNoted(actor.context, reading);
    if (reading.state === state && reading.reason === reason && isSameDraft && isSameLimit) {
      const waitMs = (reading.asked ?? '') === asked ? undefined : seen.asksNextIn(now);
      if (waitMs === undefined && frames) seen.markAsNoise(frames);
      if (waitMs !== 0) return waitMs ?? (seen.keepsChanging ? againMs : undefined);
    }
    if (seen.changed(reading, actor.record.version, now)) {
      actor.send({ type: 'READING', reading, sighting: sightingOf(observation) });
    }
    return seen.keepsChanging ? againMs : undefined;
  }
}

/** When a pane in doubt counts as silent. Some rules treat silence as the end of a turn. */
function maybeEndedIn({ reading, capture }: Observation): number | undefined {
  if (reading.state !== 'AGENT_STATE_UNCERTAIN' || capture.silentMs === undefined) return undefined;
  const left = silentMs - capture.silentMs;
  // tmux counts whole seconds.
  return left > 0 ? left + 1_000 : undefined;
}
