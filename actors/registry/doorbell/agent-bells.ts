import { hasEnded } from '#actors/registry/agent/agent-standing.ts';
import type { AgentChange, Change } from '#actors/registry/kernel/writing.ts';
import { noticeOfFact } from '#contract/fact/notice-of-fact.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { dropBell, raiseBell, renewBell } from './doorbells.ts';

/**
 * Withdraws the doorbell of an agent that is archived or deleted. Rings a restored agent again for everything that
 * still waits for it.
 */
export async function updateDoorbell(writing: Change, commit: AgentCommit, { before }: AgentChange): Promise<boolean> {
  const { id, snapshot } = before;
  const [was, is] = [viewOf(snapshot), viewOf(commit.snapshot)];
  if ((is.archived && !was.archived) || is.gone) return dropBell(writing, id);
  return commit.facts.some(({ kind }) => kind === 'agent.restored') && renewBell(writing, id);
}

/**
 * Rings agents that wait for the result of another agent whenever that agent finishes, ends, fails or waits for a person.
 * `known` is that agent's record if this transaction has just committed to it.
 */
export async function ringForResult(
  writing: Change,
  { agentId, facts }: Pick<AgentCommit, 'agentId' | 'facts'>,
  known?: Pick<AgentChange, 'after'>,
): Promise<boolean> {
  const count = facts.filter(({ kind }) => Object.hasOwn(noticeOfFact, kind)).length;
  if (count === 0) return false;
  const { agents } = writing.tables;
  const { resultFor } = known?.after ?? (await agents.find(agentId)) ?? {};
  const waiting = resultFor == null ? undefined : await agents.find(resultFor);
  if (waiting === undefined || hasEnded(waiting)) return false;
  await raiseBell(writing, waiting.id, { cause: 'DOORBELL_CAUSE_RESULT', count }, { known: waiting });
  return false;
}
