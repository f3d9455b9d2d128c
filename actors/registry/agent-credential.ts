import type { CredentialTable } from '#store/credential-table.ts';
import { type AgentTokens, hashOf } from './agent-tokens.ts';

/** An agent's own token in the clear. The first time it is asked for it is made known, as its hash. */
export async function agentTokenFor(
  credentials: CredentialTable,
  tokens: AgentTokens,
  agentId: string,
): Promise<string> {
  const known = await credentials.generationOf(agentId);
  const token = tokens.of(agentId, known ?? 1);
  if (known === undefined) await credentials.addAgent(hashOf(token), agentId, 1);
  return token;
}
