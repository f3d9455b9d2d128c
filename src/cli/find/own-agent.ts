import type { Client } from '#cli/client/client.ts';
import type { Session } from '#cli/client/session.ts';
import { Failure } from '#contract/failure.ts';
import { findAgent } from './find-agent.ts';

/** The id of the named agent. Without a name it is empty, which means the calling agent. */
export async function ownOr(client: Client, name: string | undefined): Promise<{ agentId?: string }> {
  return name === undefined ? {} : { agentId: (await findAgent(client, name)).id };
}

/** As `ownOr`, for the command with the given words. @throws INVALID_ARGUMENT when a person names no agent */
export async function ownNamed(
  session: Session,
  client: Client,
  name: string | undefined,
  words: string,
): Promise<{ agentId?: string }> {
  // Only a person's token comes from a state folder.
  if (name !== undefined || session.connection().home === undefined) return ownOr(client, name);
  throw new Failure('INVALID_USAGE', `name an agent: ${words} NAME`);
}
