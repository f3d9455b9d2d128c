import { mayHoldTokens } from '#actors/registry/agent/find-agent.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/** The tokens of an agent end with it, at once and for good: a window that is opened anew is given another one. */
export async function endTokens({ tables }: Change, commit: AgentCommit, before: StoredAgent): Promise<boolean> {
  if (!mayHoldTokens(before)) return false;
  const after = await tables.agents.find(commit.agentId);
  if (after !== undefined && !mayHoldTokens(after)) await tables.credentials.endOf(commit.agentId);
  return false;
}
