import type { Client } from '#cli/client/client.ts';
import { everyPage } from '#cli/client/pages.ts';
import { Failure } from '#contract/failure.ts';
import { nearest } from '#contract/parse/nearest.ts';
import type { Workflow } from '#contract/workflow.ts';

/** Every workflow, most recently updated first. */
export function everyWorkflow(client: Client): Promise<Workflow[]> {
  return everyPage(
    (pagination) => client.call('workflow.v1.WorkflowService/ListWorkflows', { pagination }),
    (page) => page.workflows,
  );
}

/** The workflow that a person means, by id or name. @throws NOT_FOUND naming those there are. */
export async function findWorkflow(client: Client, said: string): Promise<Workflow & { readonly id: string }> {
  const workflows = await everyWorkflow(client);
  const found = workflows.find(({ id }) => id === said) ?? workflows.find(({ name }) => name === said);
  if (found?.id) return { ...found, id: found.id };
  const names = workflows.flatMap(({ name }) => name ?? []);
  const near = nearest(said, names);
  const help = near
    ? `did you mean ${near}?`
    : names.length > 0
      ? `there are ${names.slice(0, 8).join(', ')}`
      : 'make one with `muster workflow create`';
  throw new Failure('WORKFLOW_NOT_FOUND', `there is no workflow ${JSON.stringify(said)}: ${help}`, {
    metadata: { workflowId: said },
  });
}
