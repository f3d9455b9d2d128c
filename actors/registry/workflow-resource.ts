import type { Caller } from '#contract/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { Workflow } from '#contract/workflow.ts';
import type { StoredWorkflow } from '#store/workflow-entity.ts';
import type { WorkflowTable } from '#store/workflow-table.ts';
import { timeOf } from './agent-resource.ts';

/** A workflow as it is shown to a caller: an address that takes notices is a secret, which agents are not told. */
export function workflowOf(stored: StoredWorkflow, caller: Caller): Workflow {
  const { notify, ...shown } = stored;
  return {
    ...shown,
    ...(caller.kind === 'person' && Object.keys(notify).length > 0 ? { notify } : {}),
    provisionEnabled: stored.provisionEnabled ?? undefined,
    role: stored.role ?? undefined,
    scripts: Object.keys(stored.scripts).length === 0 ? undefined : stored.scripts,
    copyFiles: [...stored.copyFiles],
    mailOnPullRequest: [...stored.mailOnPullRequest],
    createdAt: timeOf(stored.createdAt),
    updatedAt: timeOf(stored.updatedAt),
  };
}

/** The workflow of an id. @throws Failure `not_found`. */
export async function findWorkflow(workflows: WorkflowTable, id: string): Promise<StoredWorkflow> {
  const workflow = await workflows.find(id);
  if (workflow !== undefined) return workflow;
  throw new Failure('not_found', `There is no workflow ${quoted(id)}: list_workflows shows those that there are`);
}
