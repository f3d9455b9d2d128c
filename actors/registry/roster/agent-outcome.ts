import { endingOf } from '#actors/registry/agent/agent-resource.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { AgentOutcome } from '#contract/agent/agent-outcome.ts';
import { spentText } from '#contract/budget/budget-text.ts';
import { reasonLine } from '#contract/fact/reason-line.ts';
import type { AwaitedAgent } from '#contract/operations/wait.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredFact } from '#store/fact/fact-entity.ts';
import { shownAgent } from './shown-agent.ts';

/** The kinds of facts that report an outcome. */
const outcomeOfFact: Readonly<Record<string, AgentOutcome>> = {
  'agent.finished': 'AGENT_OUTCOME_FINISHED',
  'agent.ended': 'AGENT_OUTCOME_ENDED',
  'agent.failed': 'AGENT_OUTCOME_FAILED',
  'agent.waits': 'AGENT_OUTCOME_WAITS',
};
export const outcomeFacts: readonly string[] = Object.keys(outcomeOfFact);

/** Outcomes after which nothing else comes by itself, so that they end every wait. */
const final: ReadonlySet<AgentOutcome> = new Set([
  'AGENT_OUTCOME_ENDED',
  'AGENT_OUTCOME_FAILED',
  'AGENT_OUTCOME_GONE',
] as const);

/** What is known of an agent besides its row. */
export interface Known {
  /** Those that report outcomes since the wait began, oldest first. */
  readonly facts: readonly StoredFact[];
  /** Whether a rule may yet answer what it asks. */
  readonly isRuled: boolean;
}

/** What is waited for. */
export interface Awaited {
  /** Empty: anything. */
  readonly until: readonly AgentOutcome[];
  /** Only turns after this one count as finished. */
  readonly afterTurn: number;
}

/**
 * The outcome of an agent, if that ends a wait: as its row says now, or else as the facts since the wait began say, oldest
 * first, or else that a budget holds it.
 */
export function outcomeOf(
  agent: StoredAgent,
  { facts, isRuled }: Known,
  { until, afterTurn }: Awaited,
): AgentOutcome | undefined {
  const counts = (outcome: AgentOutcome | undefined): outcome is AgentOutcome =>
    outcome !== undefined && (until.length === 0 || until.includes(outcome) || final.has(outcome));
  const now = outcomeNow(agent, afterTurn);
  if (counts(now) && !(isRuled && now === 'AGENT_OUTCOME_WAITS')) return now;
  const before = facts.filter((fact) => isLater(fact, afterTurn)).map(({ kind }) => outcomeOfFact[kind]);
  return before.findLast(counts) ?? (isHeld(agent) ? 'AGENT_OUTCOME_OVER_BUDGET' : undefined);
}

/** Whether it rests and a budget holds it, so that nothing else comes by itself. */
function isHeld({ standing, state, alive, park, lastKnownAt, overBudget }: StoredAgent): boolean {
  const isAtRest = standing === 'present' && alive && state === 'AGENT_STATE_IDLE';
  return isAtRest && park == null && lastKnownAt == null && overBudget != null;
}

/** The outcome by an agent's row; undefined while it works, or if that is not known. */
function outcomeNow(agent: StoredAgent, afterTurn: number): AgentOutcome | undefined {
  const { standing, state, alive, queued, lastKnownAt, asksUnseen, ending, turns } = agent;
  if (standing !== 'present') return 'AGENT_OUTCOME_GONE';
  if (state === 'AGENT_STATE_FAILED_TO_CREATE' || state === 'AGENT_STATE_FAILED_TO_CLEANUP')
    return 'AGENT_OUTCOME_FAILED';
  // What its host last reported may no longer be so.
  if (lastKnownAt != null) return undefined;
  if (ending != null) return 'AGENT_OUTCOME_ENDED';
  if (state === 'AGENT_STATE_WAITING' || asksUnseen) return 'AGENT_OUTCOME_WAITS';
  if (state === 'AGENT_STATE_SETTING_UP' || queued) return undefined;
  if (isAtLimit(agent)) return agent.park == null ? 'AGENT_OUTCOME_WAITS' : undefined;
  if (!alive) return agent.endedAt == null ? undefined : 'AGENT_OUTCOME_ENDED';
  const hasFinished = turns == null ? afterTurn === 0 : turns > afterTurn;
  return state === 'AGENT_STATE_IDLE' && hasFinished ? 'AGENT_OUTCOME_FINISHED' : undefined;
}

/** Whether it rests because its account is limited: then it has not finished its turn. */
function isAtLimit({ state, alive, snapshot }: StoredAgent): boolean {
  return alive && state === 'AGENT_STATE_IDLE' && readAgentContext(snapshot).limit !== undefined;
}

function isLater({ kind, detail }: StoredFact, afterTurn: number): boolean {
  if (kind !== 'agent.finished') return true;
  const { turn } = detail as { readonly turn?: number };
  return (turn ?? 1) > afterTurn;
}

/** An agent and its outcome, as a caller may see it. */
export function awaitedAgent(caller: Caller, agent: StoredAgent, outcome: AgentOutcome): AwaitedAgent {
  const { stateReason, fault, waitingFor, overBudget } = shownAgent(caller, agent);
  const isAsking = outcome === 'AGENT_OUTCOME_WAITS';
  return {
    agentId: agent.id,
    name: agent.name,
    outcome,
    turn: agent.turns ?? undefined,
    reason:
      (isAsking && waitingFor) ||
      (overBudget && spentText(overBudget)) ||
      reasonLine(stateReason, fault?.errorLine) ||
      undefined,
    ending: agent.ending == null ? undefined : endingOf(agent.ending),
    hasResult: agent.resultAt != null || undefined,
  };
}
