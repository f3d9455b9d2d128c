import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';

/**
 * The subject of an operation that an agent may call only for itself: the named agent, or the caller if none is named.
 * @throws PERMISSION_DENIED when an agent names another one; INVALID_ARGUMENT when a person names none
 */
export function ownAgentId(caller: Caller, agentId: string | undefined): string {
  if (caller.kind === 'agent') {
    if (!agentId || agentId === caller.agentId) return caller.agentId;
    throw new Failure(
      'NOT_YOURS',
      `agentId is ${quoted(agentId)}, which is not you: an agent may do this only for itself (SERVICE_AGENT_ID)`,
      { field: 'agentId' },
    );
  }
  if (agentId) return agentId;
  throw new Failure('AGENT_REQUIRED', 'agentId is required of a person: list_agents shows the ids', {
    field: 'agentId',
  });
}
