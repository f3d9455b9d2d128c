import { type CandidateHosts, candidatesAmong, placementOf } from '#actors/registry/placement/host-fit.ts';
import type { Tables } from '#store/tables.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';

/** The hosts that may take an agent of a workflow, judged by their rows alone. */
export async function findCandidateHosts(
  { hosts }: Pick<Tables, 'hosts'>,
  workflow: StoredWorkflow,
): Promise<CandidateHosts> {
  return candidatesAmong(await hosts.all(), {
    ...placementOf({}, workflow),
    harness: workflow.harness || undefined,
  });
}
