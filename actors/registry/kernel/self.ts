import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';

/**
 * The agent that a call is about which agents may make about themselves alone: the caller where none is named.
 * @throws Failure `permission_denied` where an agent names another one, `invalid_argument` where a person names none.
 */
export function selfOf(caller: Caller, agentId: string | undefined): string {
  if (caller.kind === 'agent') {
    if (!agentId || agentId === caller.agentId) return caller.agentId;
    throw new Failure(
      'permission_denied',
      `agentId is ${quoted(agentId)}, which is not you: an agent may do this only for itself (SERVICE_AGENT_ID)`,
    );
  }
  if (agentId) return agentId;
  throw new Failure('invalid_argument', 'agentId is required of a person: list_agents shows the ids');
}
