import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import {
  cliOf,
  type Observation,
  type ObservePane,
  observeUntil,
  sightingOf,
  type Target,
  toReading,
} from '#actors/host/reading/observation.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { AgentContext } from '#machines/agent/agent-context.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { isNoted } from '#machines/agent/noted-reading.ts';
import { type PromptRefusal, promptRefusal } from '#machines/agent/prompting.ts';
import { settleMs } from '#machines/settle.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import type { MachineTimer } from '#world/concurrency/timer.ts';
import type { Terminals, Written } from '#world/terminal/terminal.ts';
import type { Asking, Permission } from './permission.ts';
import { runningTerminal } from './terminal-mutex.ts';
import type { Traces } from './traces.ts';

/** How long a screen may take to be at rest enough to be judged, in milliseconds. */
const fitWithin = 2_000;

/** What a turn at a pane is taken with. */
export interface PaneTurns {
  readonly actor: (agentId: string) => AgentActor | undefined;
  readonly terminals: Terminals;
  readonly observePane: ObservePane;
  readonly registry: Asking['registry'];
  readonly clock: MachineTimer;
}

/** A pane that may be typed at until a time by this host's monotonic clock. */
export interface PermittedTarget extends Target {
  readonly traces: Traces;
}

/** Whose pane it is, and when there may be typed at it. */
interface Turn {
  readonly agentId: string;
  readonly isPossible: (phase: string) => boolean;
  /** Asks, once it is its turn, whether it is still wanted, and how the agent stands. */
  readonly permit: () => Promise<Permission>;
  /** Ends what is in progress. */
  readonly signal: AbortSignal;
}

/**
 * Works at an agent's pane with exclusive access, if its phase allows it, and reports the resulting screen to its
 * actor.
 * @throws FAILED_PRECONDITION when the agent is not at work
 */
export function withPane(
  { actor: actorOf, terminals, observePane, clock }: PaneTurns,
  { agentId, isPossible, permit, signal }: Turn,
  work: (target: PermittedTarget, name: string, actor: AgentActor) => Promise<Observation>,
): Promise<void> {
  return withMutex(`pane of ${agentId}`, async () => {
    // What was known before is old by now: the host may have been cut off, or stopped, for as long as you like.
    const { record, until } = await permit();
    actorOf(agentId)?.refresh(record);
    const actor = actorOf(agentId);
    const { paneId = '', name = agentId } = actor?.context ?? {};
    const phase = actor ? phaseOf(actor.record.snapshot.value) : 'gone';
    if (!actor || paneId === '' || !isPossible(phase))
      throw refused('AGENT_NOT_RUNNING', name, `it is not running (${phase})`);
    const terminal = await runningTerminal(terminals, actor.record.family);
    if (!terminal) throw refused('CLI_ENDED', name, 'its terminal has ended');
    const cli = cliOf(actor.record, actor.context);
    actor.typedAt = true;
    try {
      const traces = { clock, until, isTyped: false };
      const observation = await work({ terminal, paneId, ...cli, observePane, clock, signal, traces }, name, actor);
      const reading = toReading(observation);
      // A key that has only moved the mark of a choice changes nothing: the next one need not wait for a commit.
      if (!isNoted(actor.context, reading)) actor.send({ type: 'READING', reading, sighting: sightingOf(observation) });
      await actor.quiet();
    } finally {
      actor.typedAt = false;
    }
  });
}

/**
 * The screen as it is once it may be typed into; `takesMeanwhile` if its CLI takes prompts while it is at work.
 * @throws FAILED_PRECONDITION when it may not
 */
export async function fitObservation(target: Target, name: string, takesMeanwhile = false): Promise<Observation> {
  const isJudged = (observation: Observation, unchangedMs: number) =>
    unchangedMs >= settleMs || ['AGENT_STATE_THINKING', 'AGENT_STATE_WAITING'].includes(observation.reading.state);
  const observation = (await observeUntil(target, fitWithin, isJudged)) ?? (await seen(target, name));
  refuseUnfit(observation, name, takesMeanwhile);
  return observation;
}

/** @throws FAILED_PRECONDITION when nothing may be typed into a pane that shows this */
export function refuseUnfit({ reading, capture }: Observation, name: string, takesMeanwhile: boolean): void {
  const refusal = promptRefusal({ reading, inMode: capture.inMode, takesMeanwhile });
  if (refusal) throw refused(refusal.reason, name, refusal.why);
}

/** @throws FAILED_PRECONDITION when a person holds the agent */
export function refuseHeld(name: string, { heldAt }: Pick<AgentContext, 'heldAt'>): void {
  if (heldAt === undefined) return;
  const since = new Date(heldAt).toISOString();
  throw new Failure('AGENT_HELD', notTyped(name, `a person has held it since ${since}`), {
    metadata: { agentId: name, heldAt: since },
  });
}

/** @throws FAILED_PRECONDITION when the CLI says that it asks a person, and something covers its question */
export function refuseUnseenQuestion(name: string, { asksUnseen }: Pick<AgentContext, 'asksUnseen'>): void {
  if (asksUnseen) throw refused('AGENT_WAITS', name, 'its CLI says that it asks, and its screen does not show what');
}

/** The screen as it is now. @throws FAILED_PRECONDITION when its CLI has ended */
export async function seen(target: Target, name: string): Promise<Observation> {
  const observation = await target.observePane(target.terminal, target.paneId, target);
  if (!observation || observation.capture.dead) throw refused('CLI_ENDED', name, 'its CLI has ended');
  return observation;
}

/** @throws FAILED_PRECONDITION when a write had no effect */
export function expectWritten(written: Written, name: string): void {
  if (written === 'late')
    throw new Failure('TYPING_TOO_LATE', `Nothing more was typed for agent ${quoted(name)}: its time had run out`);
  if (written === 'in-mode') throw refused('WINDOW_SCROLLED', name, 'a person scrolls in its window');
  if (written !== 'written') throw refused('CLI_ENDED', name, 'its CLI has ended');
}

/** Why nothing is typed into a pane. */
type TypingReason =
  | PromptRefusal['reason']
  | 'AGENT_NOT_RUNNING'
  | 'AGENT_NOT_HELD'
  | 'NO_TURN'
  | 'NOTHING_TO_ANSWER'
  | 'DOORBELL_CLAIMED'
  | 'DOORBELL_NOT_TAKEN';

/** Nothing was typed, and why. */
export function refused(reason: TypingReason, name: string, why: string): Failure {
  return new Failure(reason, notTyped(name, why));
}

function notTyped(name: string, why: string): string {
  return `Nothing was typed for agent ${quoted(name)}: ${why}`;
}

/** Something was typed and did not come to what it was for. */
export function aborted(name: string, what: string): Failure {
  return new Failure('TYPING_UNCONFIRMED', `Agent ${quoted(name)} ${what}: check it before you try again`);
}
