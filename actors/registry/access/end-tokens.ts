import { haveTokensEnded } from '#actors/registry/agent/agent-standing.ts';
import type { AgentChange, Change } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';

/** Revokes an agent's tokens for good when it ends. A window that is opened again gets a new token. */
export async function endTokens(
  { tables }: Change,
  commit: AgentCommit,
  { before, after }: AgentChange,
): Promise<boolean> {
  if (!haveTokensEnded(before) && haveTokensEnded(after)) await tables.credentials.endOf(commit.agentId);
  return false;
}
