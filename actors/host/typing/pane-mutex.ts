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
import type { Terminals, WriteOutcome } from '#world/terminal/terminal.ts';
import type { Permission, PermitClient } from './permission.ts';
import { runningTerminal } from './terminal-mutex.ts';
import type { TypingAttempt } from './typing-attempt.ts';

/** How long to wait for a screen that can be judged, in milliseconds. */
const fitWithin = 2_000;

/** The dependencies of exclusive access to panes. */
export interface PaneTurns {
  readonly actor: (agentId: string) => AgentActor | undefined;
  readonly terminals: Terminals;
  readonly observePane: ObservePane;
  readonly registry: PermitClient['registry'];
  readonly clock: MachineTimer;
}

/** A pane that may be typed into until a deadline on this host's monotonic clock. */
export interface PermittedTarget extends Target {
  readonly attempt: TypingAttempt;
}

/** The pane to access, and the conditions. */
interface Turn {
  readonly agentId: string;
  readonly isPossible: (phase: string) => boolean;
  /** Whether what is typed begins a turn of the agent, if its CLI accepts it. */
  readonly beginsTurn?: boolean;
  /** Called once access is exclusive: returns the current agent and the deadline. @throws Failure to refuse */
  readonly permit: () => Promise<Permission>;
  /** Aborts what is in progress. */
  readonly signal: AbortSignal;
}

/**
 * Runs `work` with exclusive access to an agent's pane, if the agent's phase allows it, and reports the resulting
 * screen to its actor.
 * @throws FAILED_PRECONDITION when the agent is not running; as `permit` and `work`
 */
export function withPane(
  { actor: actorOf, terminals, observePane, clock }: PaneTurns,
  { agentId, isPossible, permit, signal, beginsTurn = false }: Turn,
  work: (target: PermittedTarget, name: string, actor: AgentActor) => Promise<Observation>,
): Promise<void> {
  return withMutex(`pane of ${agentId}`, async () => {
    // This process's data may be stale: it may have been disconnected or suspended for any length of time.
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
    actor.isTyping = true;
    try {
      const attempt = { clock, until, isTyped: false };
      const observation = await work({ terminal, paneId, ...cli, observePane, clock, signal, attempt }, name, actor);
      const reading = toReading(observation);
      const seen = { reading, sighting: sightingOf(observation) };
      if (beginsTurn) actor.send({ type: 'PROMPTED', ...seen });
      // If a key has only moved the mark of a selection, nothing changes, and the next key need not wait for a commit.
      else if (!isNoted(actor.context, reading)) actor.send({ type: 'READING', ...seen });
      await actor.quiet();
    } finally {
      actor.isTyping = false;
    }
  });
}

/**
 * Waits for a screen that may be typed into. `takesMeanwhile`: whether its CLI accepts prompts while it works.
 * @throws FAILED_PRECONDITION when it may not be typed into
 */
export async function fitObservation(target: Target, name: string, takesMeanwhile = false): Promise<Observation> {
  const isJudged = (observation: Observation, unchangedMs: number) =>
    unchangedMs >= settleMs || ['AGENT_STATE_THINKING', 'AGENT_STATE_WAITING'].includes(observation.reading.state);
  const observation = (await observeUntil(target, fitWithin, isJudged)) ?? (await seen(target, name));
  refuseUnfit(observation, name, takesMeanwhile);
  return observation;
}

/** @throws FAILED_PRECONDITION when a pane with this screen may not be typed into */
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

/** @throws BUDGET_SPENT when a budget that the agent's work counts to is used up */
export function refuseOverBudget(name: string, { overBudget }: Pick<AgentContext, 'overBudget'>): void {
  if (overBudget === undefined) return;
  throw new Failure('BUDGET_SPENT', notTyped(name, `the budget of ${overBudget.ownerName} is used up`), {
    metadata: { ownerId: overBudget.ownerId },
  });
}

/** @throws FAILED_PRECONDITION when the CLI reports that it asks a person, and its screen does not show the question */
export function refuseUnseenQuestion(name: string, { asksUnseen }: Pick<AgentContext, 'asksUnseen'>): void {
  if (asksUnseen)
    throw refused('AGENT_WAITS', name, 'its CLI reports that it asks a question, which its screen does not show');
}

/** The current screen. @throws FAILED_PRECONDITION when the CLI has ended */
export async function seen(target: Target, name: string): Promise<Observation> {
  const observation = await target.observePane(target.terminal, target.paneId, target);
  if (!observation || observation.capture.dead) throw refused('CLI_ENDED', name, 'its CLI has ended');
  return observation;
}

/** @throws UNAVAILABLE when a write came too late; FAILED_PRECONDITION when it had no effect */
export function expectWritten(written: WriteOutcome, name: string): void {
  if (written === 'late')
    throw new Failure('TYPING_TOO_LATE', `Nothing more was typed for agent ${quoted(name)}: its time had run out`);
  if (written === 'in-mode') throw refused('WINDOW_SCROLLED', name, 'a person scrolls in its window');
  if (written !== 'written') throw refused('CLI_ENDED', name, 'its CLI has ended');
}

/** The reasons for typing nothing into a pane. */
type TypingReason =
  | PromptRefusal['reason']
  | 'AGENT_NOT_RUNNING'
  | 'AGENT_NOT_HELD'
  | 'NO_TURN'
  | 'NOTHING_TO_ANSWER'
  | 'DOORBELL_CLAIMED'
  | 'DOORBELL_NOT_TAKEN';

/** The error if nothing was typed. */
export function refused(reason: TypingReason, name: string, why: string): Failure {
  return new Failure(reason, notTyped(name, why));
}

function notTyped(name: string, why: string): string {
  return `Nothing was typed for agent ${quoted(name)}: ${why}`;
}

/** The error if something was typed without the intended effect. */
export function aborted(name: string, what: string): Failure {
  return new Failure('TYPING_UNCONFIRMED', `Agent ${quoted(name)} ${what}: check it before you try again`);
}
