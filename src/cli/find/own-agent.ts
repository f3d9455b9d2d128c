import type { Client } from '#cli/client/client.ts';
import type { Session } from '#cli/client/session.ts';
import { Failure } from '#contract/failure.ts';
import { findAgent } from './find-agent.ts';

/** The id of the agent that is named; in an agent's pane it may be itself, which the service knows. */
export async function ownOr(client: Client, name: string | undefined): Promise<{ agentId?: string }> {
  return name === undefined ? {} : { agentId: (await findAgent(client, name)).id };
}

/** As `ownOr`, for the command of the given words. @throws INVALID_ARGUMENT when a person names nobody. */
export async function ownNamed(
  session: Session,
  client: Client,
  name: string | undefined,
  words: string,
): Promise<{ agentId?: string }> {
  // Only the operator's token is in a state folder.
  if (name !== undefined || session.connection().home === undefined) return ownOr(client, name);
  throw new Failure('INVALID_USAGE', `name an agent: ${words} NAME`);
}
