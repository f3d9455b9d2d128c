import { checkFlags } from '#actors/registry/placement/check-launch.ts';
import { checkDirectory } from '#actors/registry/placement/placement.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import { quoted } from '#contract/quoted.ts';

/**
 * Checks a launch request as far as that needs no database.
 * @throws INVALID_ARGUMENT when fields are invalid or contradict each other; PERMISSION_DENIED when an agent names
 *   another agent as the parent
 */
export function checkRequest(request: CreateAgentRequest, caller: Caller): void {
  const { parentAgentId, dir, provisionEnabled, flags, role, ringOnResult } = request;
  if (parentAgentId) {
    if (caller.kind === 'agent' && caller.agentId !== parentAgentId) {
      throw new Failure(
        'NOT_YOURS',
        `parentAgentId is ${quoted(parentAgentId)}, and the caller is agent ${caller.agentId}: an agent may launch only children ` +
          'of its own, so pass your own id (SERVICE_AGENT_ID)',
        { field: 'parentAgentId' },
      );
    }
    if (dir) throw contradiction('dir', quoted(dir), "runs in its parent's directory");
    if (provisionEnabled !== undefined) {
      throw contradiction('provisionEnabled', String(provisionEnabled), "runs in its parent's directory");
    }
    if (role === 'AGENT_ROLE_ORCHESTRATOR') throw contradiction('role', role, 'may not be an orchestrator');
  }
  if (ringOnResult && caller.kind === 'person') {
    throw new Failure(
      'INVALID_FIELD',
      'ringOnResult is true, but a person has no doorbell: leave it out, and use update_notify to be notified',
      { field: 'ringOnResult' },
    );
  }
  if (dir) checkDirectory('dir', dir);
  if (flags) checkFlags(flags);
}

function contradiction(field: string, value: string, why: string): Failure {
  return new Failure(
    'CONFLICTING_FIELDS',
    `${field} is ${value} together with parentAgentId: a child ${why}, so leave it out`,
    { field },
  );
}
