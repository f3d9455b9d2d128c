import type { TokenPurpose } from '#store/access/credential-entity.ts';
import type { CredentialTable } from '#store/access/credential-table.ts';
import { hashOf, makeToken } from './agent-tokens.ts';

/** Creates an agent's token, in plain text, which is never shown again. */
export async function issueToken(
  credentials: CredentialTable,
  agentId: string,
  purpose: TokenPurpose,
): Promise<string> {
  const token = makeToken();
  await credentials.addAgent(hashOf(token), agentId, purpose);
  return token;
}
