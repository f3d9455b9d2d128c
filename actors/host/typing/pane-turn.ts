import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { type Look, lookUntil, type Sight, type Spot, sightingOf, toldOf } from '#actors/host/reading/sight.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { AgentContext } from '#machines/agent/agent-context.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { promptRefusal } from '#machines/agent/prompting.ts';
import { settleMs } from '#machines/settle.ts';
import { alone } from '#world/concurrency/alone.ts';
import type { MachineTimer } from '#world/concurrency/timer.ts';
import type { Terminals, Written } from '#world/terminal/terminal.ts';
import type { Asking, Permission } from './permission.ts';
import { runningTerminal } from './terminal-turn.ts';
import type { Traces } from './traces.ts';

/** How long a screen may take to be at rest enough to be judged, in milliseconds. */
const fitWithin = 2_000;

/** What a turn at a pane is taken with. */
export interface PaneTurns {
  readonly actor: (agentId: string) => AgentActor | undefined;
  readonly terminals: Terminals;
  readonly look: Look;
  readonly registry: Asking['registry'];
  readonly clock: MachineTimer;
}

/** A pane that may be typed at until a time by this host's monotonic clock. */
export interface PermittedSpot extends Spot {
  readonly traces: Traces;
}

/** Whose pane it is, and when there may be typed at it. */
interface Turn {
  readonly agentId: string;
  readonly isPossible: (phase: string) => boolean;
  /** Asks, once it is its turn, whether it is still wanted, and how the agent stands. */
  readonly permit: () => Promise<Permission>;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

/**
 * Does a piece of work at an agent's pane, where its phase allows it, alone, and tells its actor what the pane came to.
 * @throws Failure `failed_precondition` where the agent is not at work
 */
export function inPaneTurn(
  { actor: actorOf, terminals, look, clock }: PaneTurns,
  { agentId, isPossible, permit, signal }: Turn,
  work: (spot: PermittedSpot, name: string, actor: AgentActor) => Promise<Sight>,
): Promise<void> {
  return alone(`pane of ${agentId}`, async () => {
    // What was known before is old by now: the host may have been cut off, or stopped, for as long as you like.
    const { record, until } = await permit();
    actorOf(agentId)?.refresh(record);
    const actor = actorOf(agentId);
    const { paneId = '', name = agentId } = actor?.context ?? {};
    const phase = actor ? phaseOf(actor.record.snapshot.value) : 'gone';
    if (!actor || paneId === '' || !isPossible(phase)) throw refused(name, `it is not at work (${phase})`);
    const terminal = await runningTerminal(terminals, actor.record.family);
    if (!terminal) throw refused(name, 'its terminal has ended');
    const { harness } = actor.record.launch;
    actor.typedAt = true;
    try {
      const traces = { clock, until, isTyped: false };
      const sight = await work({ terminal, paneId, harness, look, clock, signal, traces }, name, actor);
      actor.send({ type: 'READING', reading: toldOf(sight), sighting: sightingOf(sight) });
      await actor.quiet();
    } finally {
      actor.typedAt = false;
    }
  });
}

/**
 * The screen as it is once it may be typed into; `takesMeanwhile` where its CLI takes prompts while it is at work.
 * @throws Failure `failed_precondition` where it may not
 */
export async function fitSight(spot: Spot, name: string, takesMeanwhile = false): Promise<Sight> {
  const isJudged = (sight: Sight, unchangedMs: number) =>
    unchangedMs >= settleMs || ['AGENT_STATE_THINKING', 'AGENT_STATE_WAITING'].includes(sight.reading.state);
  const sight = (await lookUntil(spot, fitWithin, isJudged)) ?? (await seen(spot, name));
  refuseUnfit(sight, name, takesMeanwhile);
  return sight;
}

/** @throws Failure `failed_precondition` where nothing may be typed into a pane that shows this */
export function refuseUnfit({ reading, capture }: Sight, name: string, takesMeanwhile: boolean): void {
  const reason = promptRefusal({ reading, inMode: capture.inMode, takesMeanwhile });
  if (reason) throw refused(name, reason.why);
}

/** @throws Failure `failed_precondition` where a person holds the agent */
export function refuseHeld(name: string, { heldAt }: Pick<AgentContext, 'heldAt'>): void {
  if (heldAt !== undefined) throw refused(name, `a person holds it since ${new Date(heldAt).toISOString()}`);
}

/** The screen as it is now. @throws Failure `failed_precondition` where its CLI has ended */
export async function seen({ look, terminal, paneId, harness }: Spot, name: string): Promise<Sight> {
  const sight = await look(terminal, paneId, harness);
  if (!sight || sight.capture.dead) throw refused(name, 'its CLI has ended');
  return sight;
}

/** @throws Failure `failed_precondition` where a write came to nothing */
export function expectWritten(written: Written, name: string): void {
  if (written === 'late')
    throw new Failure('unavailable', `Nothing more was typed for agent ${quoted(name)}: it came too late`);
  if (written === 'in-mode') throw refused(name, 'a person scrolls in its window');
  if (written !== 'written') throw refused(name, 'its CLI has ended');
}

/** Nothing was typed, and why. */
export function refused(name: string, why: string): Failure {
  return new Failure('failed_precondition', `Nothing was typed for agent ${quoted(name)}: ${why}`);
}

/** Something was typed and did not come to what it was for. */
export function aborted(name: string, what: string): Failure {
  return new Failure('aborted', `Agent ${quoted(name)} ${what}: look at it before you try again`);
}
