import type { AgentView } from '#contract/agent/agent-view.ts';
import type { FactDraft } from '#machines/decide.ts';
import type { AgentContext } from './agent-context.ts';
import { hasFinishedTurn } from './turn.ts';

const failures = ['AGENT_STATE_FAILED_TO_CREATE', 'AGENT_STATE_FAILED_TO_CLEANUP'];

/**
 * The facts of a transition that people and waiting agents are notified of: the agent failed, its CLI ended, it waits,
 * or it finished a turn. None while a person holds the agent, because they see it.
 */
export function noticesOf(before: AgentContext, after: AgentContext, was: AgentView, now: AgentView): FactDraft[] {
  const detail = { reason: now.stateReason };
  if (now.state !== was.state && failures.includes(now.state)) {
    return [{ kind: 'agent.failed', detail: now.fault ? { ...detail, line: now.fault.line } : detail }];
  }
  if (now.heldAt !== undefined) return [];
  const turn = now.turns === undefined ? {} : { turn: now.turns };
  if (hasEnded(was, now)) return [{ kind: 'agent.ended', detail: { ...detail, ...now.ending, ...turn } }];
  return [
    ...(hasFinishedTurn(before, after) ? [{ kind: 'agent.finished', detail: { ...detail, ...turn } } as const] : []),
    ...waitsOf(before, after, was, now),
  ];
}

/** Whether the CLI ended by itself: its window is gone, or a shell is in its place. */
function hasEnded(was: AgentView, now: AgentView): boolean {
  // A shell in its place was reported before it ended, too.
  if (was.ending !== undefined || was.phase.startsWith('moving')) return false;
  if (was.alive && !now.alive) return ['dormant', 'cleaningUp.inspecting'].includes(now.phase);
  return now.alive && now.ending !== undefined;
}

function waitsOf(before: AgentContext, after: AgentContext, was: AgentView, now: AgentView): FactDraft[] {
  const detail = { reason: now.stateReason };
  if (now.asksUnseen && !was.asksUnseen) {
    return [{ kind: 'agent.waits', detail: { ...detail, waitingFor: now.reportedReason } }];
  }
  if (after.stuck === true && before.stuck !== true) {
    return [{ kind: 'agent.waits', detail: { ...detail, noQuestion: true } }];
  }
  // People were notified already when its CLI alone said so.
  const isOther =
    before.decided !== after.decided || (before.limit !== undefined && after.state === 'AGENT_STATE_WAITING');
  const isNew = isOther && after.decided === 'AGENT_STATE_WAITING' && !was.asksUnseen;
  // A limit is reported for the account, once for all of its agents.
  if (after.limit !== undefined) return [];
  if (!isNew) return [];
  return [{ kind: 'agent.waits', detail: now.waitingFor === '' ? detail : { ...detail, waitingFor: now.waitingFor } }];
}
