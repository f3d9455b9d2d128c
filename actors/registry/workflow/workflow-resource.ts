import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { Workflow } from '#contract/workflow.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import type { WorkflowTable } from '#store/workflow/workflow-table.ts';

/**
 * A workflow as a caller may see it. Scripts, notification addresses and the environment may contain secrets, so agents
 * do not see them, nor the profile.
 */
export function workflowOf(stored: StoredWorkflow, caller: Caller): Workflow {
  const { notify, scripts, environment, unconfirmedRepositories, profileId, ...shown } = stored;
  return {
    ...shown,
    ...(caller.kind === 'person'
      ? {
          notify: orUnset(notify),
          scripts: orUnset(scripts),
          environment: [...environment],
          profileId: profileId ?? undefined,
        }
      : {}),
    provisionEnabled: stored.provisionEnabled ?? undefined,
    role: stored.role ?? undefined,
    copyFiles: [...stored.copyFiles],
    mailOnPullRequest: [...stored.mailOnPullRequest],
    repositories: [...stored.repositories],
    ...(caller.kind === 'person' && { unconfirmedRepositories: [...unconfirmedRepositories] }),
    agentsMayLaunch: Object.keys(stored.agentsMayLaunch).length === 0 ? undefined : stored.agentsMayLaunch,
    preApprovedTools: [...stored.preApprovedTools],
    hostSelector: [...stored.hostSelector],
    isolation: stored.isolation ?? undefined,
    onUsageLimit: stored.onUsageLimit ?? undefined,
    onBoot: stored.onBoot ?? undefined,
    grants: orUnset(stored.grants),
    archivePolicy: orUnset(stored.archivePolicy),
    createdAt: timeOf(stored.createdAt),
    updatedAt: timeOf(stored.updatedAt),
  };
}

function orUnset<T extends object>(message: T): T | undefined {
  return Object.keys(message).length === 0 ? undefined : message;
}

/** The workflow with an id. @throws NOT_FOUND when there is none */
export async function findWorkflow(workflows: WorkflowTable, id: string): Promise<StoredWorkflow> {
  const workflow = await workflows.find(id);
  if (workflow !== undefined) return workflow;
  throw new Failure('WORKFLOW_NOT_FOUND', `There is no workflow ${quoted(id)}: list_workflows lists them`, {
    field: 'workflowId',
    metadata: { workflowId: id },
  });
}
