import type { FactDraft } from '#machines/decide.ts';
import type { AgentContext, AgentEvent } from './agent-context.ts';
import type { MovePlace } from './move.ts';

/** The phases in which an agent that moves is on the host that it moves to. */
const away = /^moving\.(?:unpacking|preparing|opening|settling|undoing)/;

/** The host on which an agent that moves is in a phase; undefined if it does not move. */
export function movePlace({ move }: AgentContext, phase: string): MovePlace | undefined {
  if (move === undefined || !phase.startsWith('moving.')) return undefined;
  return away.test(phase) ? move.to : move.from;
}

/** A description of each step of a move. */
const steps: Readonly<Record<string, string>> = {
  closing: 'its CLI is being ended',
  packing: 'its work is being packed',
  unpacking: 'its work is being carried',
  preparing: 'its setup script runs there',
  opening: 'its conversation is being resumed there',
  settling: 'its conversation is being resumed there',
  undoing: 'it returns',
};

/** Why an agent that moves is in its state; undefined if it does not move. */
export function moveReason({ move, reason }: AgentContext, phase: string): string | undefined {
  if (move === undefined) return undefined;
  const { from, to } = move;
  if (!phase.startsWith('moving.')) {
    const waits = `moves to ${to.host} once it is at rest`;
    return reason === '' ? waits : `${reason}; ${waits}`;
  }
  const [, step = ''] = phase.split('.');
  return `moves from ${from.host} to ${to.host}: ${steps[step] ?? 'it returns'}`;
}

/**
 * Whether an agent that is to move may leave now: it is at rest, without a draft in its pane; or its
 * host is lost.
 */
export function mayDepart({ move, state, heldAt, drafted, doubted }: AgentContext): boolean {
  if (move?.fromRound === true) return true;
  const isFree = heldAt === undefined && drafted !== true && doubted !== true;
  return move !== undefined && state === 'AGENT_STATE_IDLE' && isFree;
}

type ContextChange = Partial<AgentContext>;

/** The context of an agent that was asked to move. */
export function orderedTo(event: AgentEvent): ContextChange {
  return event.type === 'MOVE' ? { move: event.order, failedMove: undefined } : {};
}

/** The context of an agent that leaves its host. */
export function departing(context: AgentContext, was: 'live' | 'dormant' | 'archived'): ContextChange {
  const { move, worktree, prepared, paneId } = context;
  if (move === undefined) return {};
  const pane = move.fromRound === true && paneId !== undefined ? { paneId } : {};
  return {
    move: { ...move, left: { was, worktree, prepared, ...pane } },
    state: 'AGENT_STATE_SETTING_UP',
    asked: undefined,
    stuck: undefined,
    refused: undefined,
  };
}

/** The context of an agent whose work is packed: nothing of it is on the other host yet. */
export function packed({ move }: AgentContext, event: AgentEvent): ContextChange {
  if (move === undefined) return {};
  const made = event.type === 'PACKED' ? { package: event.package } : {};
  return { move: { ...move, ...made }, paneId: undefined, worktree: undefined, prepared: false, checkout: {} };
}

/** The context of an agent that cannot move: it returns to its former host. */
export function turnedBack(context: AgentContext, why: string): ContextChange {
  const { move } = context;
  return move === undefined ? {} : { move: { ...move, failed: why } };
}

/** The context of an agent that is on its former host again. */
export function returned({ move }: AgentContext): ContextChange {
  if (move?.left === undefined) return {};
  const { worktree, prepared, paneId } = move.left;
  return { worktree, prepared, checkout: {}, ...(paneId !== undefined && { paneId }) };
}

/** The context of an agent whose move is over: it has arrived, unless it had to return. */
export function moveOver({ move }: AgentContext): ContextChange {
  return { move: undefined, failedMove: move?.failed };
}

/** Why an event ends a move. */
export function whyTurnedBack({ move }: AgentContext, event: AgentEvent, step: string): string {
  if (event.type === 'STEP_FAILED') return `${event.step}: ${event.reason}`;
  if (event.type === 'CANCEL_MOVE') {
    if (event.gone !== true) return 'a person cancelled it';
    const before = move?.failed === undefined ? '' : `${move.failed}; `;
    return `${before}a person said that ${move?.to.host ?? 'the other host'} is gone`;
  }
  if (event.type === 'HOST_LOST') return `${step}: ${event.host} has been silent since ${event.since}`;
  if (event.type === 'PANE_GONE')
    return `${step}: its CLI ended on ${move?.to.host ?? 'the other host'}: ${event.reason}`;
  return `${step}: took too long, so muster gave up`;
}

/** The facts of a transition about a move. */
export function moveFacts({ move: was }: AgentContext, { move: is, failedMove = '' }: AgentContext): FactDraft[] {
  if (is !== undefined && is.id !== was?.id) {
    return [{ kind: 'agent.moves', detail: { from: is.from.hostId, to: is.to.hostId } }];
  }
  if (was === undefined || is !== undefined) return [];
  const detail = { from: was.from.hostId, to: was.to.hostId };
  if (failedMove === '') return [{ kind: 'agent.moved', detail }];
  return [{ kind: 'agent.move-failed', detail: { ...detail, reason: failedMove } }];
}
