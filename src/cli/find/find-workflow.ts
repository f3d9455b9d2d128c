import type { Client } from '#cli/client/client.ts';
import { everyPage } from '#cli/client/pages.ts';
import { Failure } from '#contract/failure.ts';
import type { Workflow } from '#contract/workflow.ts';
import { findNamed, namesToChoose } from './find-named.ts';

/** Every workflow, most recently updated first. */
export function everyWorkflow(client: Client): Promise<Workflow[]> {
  return everyPage(
    (pagination) => client.call('workflow.v1.WorkflowService/ListWorkflows', { pagination }),
    (page) => page.workflows,
  );
}

/** Finds a workflow by id or name. @throws NOT_FOUND listing those that exist */
export async function findWorkflow(client: Client, nameOrId: string): Promise<Workflow & { readonly id: string }> {
  const workflows = await everyWorkflow(client);
  const found = findNamed(workflows, nameOrId);
  if (found !== undefined) return found;
  const help = namesToChoose(workflows, nameOrId, 'muster workflow create');
  throw new Failure('WORKFLOW_NOT_FOUND', `there is no workflow ${JSON.stringify(nameOrId)}: ${help}`, {
    metadata: { workflowId: nameOrId },
  });
}
