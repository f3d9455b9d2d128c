import type { TokenPurpose } from '#store/access/credential-entity.ts';
import type { CredentialTable } from '#store/access/credential-table.ts';
import { hashOf, makeToken } from './agent-tokens.ts';

/** Makes a new token for an agent, in the clear: this is the only time that it is told. */
export async function issueToken(
  credentials: CredentialTable,
  agentId: string,
  purpose: TokenPurpose,
): Promise<string> {
  const token = makeToken();
  await credentials.addAgent(hashOf(token), agentId, purpose);
  return token;
}
