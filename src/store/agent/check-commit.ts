import { Failure } from '#contract/failure.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import type { StoredAgent } from './agent-entity.ts';

/**
 * Checks that a commit was decided on the agent as it is.
 * @throws FAILED_PRECONDITION when the agent was placed again; ABORTED when it has changed since
 */
export function checkCommit({ agentId: id, epoch, version }: AgentCommit, before: StoredAgent): void {
  if (epoch !== before.epoch) {
    throw new Failure(
      'AGENT_PLACED_ANEW',
      `Agent ${id} was placed again (epoch ${before.epoch}), so a write of epoch ${epoch} is refused: release the agent`,
    );
  }
  if (version !== before.version) {
    throw new Failure(
      'STALE_VERSION',
      `Agent ${id} has changed from version ${version} to ${before.version}: read it again, then decide again`,
    );
  }
}
