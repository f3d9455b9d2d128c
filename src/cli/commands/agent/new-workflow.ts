import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { WorkflowHere } from '#cli/find/workflow-here.ts';
import { defaultIsolationText } from '#cli/print/isolation-details.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import { isTransient } from '#contract/transient.ts';

/** Reports the workflow that was created for a launch, or deletes it again if the launch is refused. */
export async function withNewWorkflow<T>(
  { stderr }: CliIo,
  client: Client,
  { workflow, notIsolated }: Pick<WorkflowHere, 'workflow' | 'notIsolated'>,
  launching: Promise<T>,
): Promise<T> {
  const { id, name = id, cwd = '' } = workflow;
  try {
    const launched = await launching;
    stderr.write(`Created the workflow ${printable(name)} for ${printable(cwd)} (muster workflow edit changes it)\n`);
    const isolated = defaultIsolationText({ workflow, notIsolated });
    if (isolated !== undefined) stderr.write(`${isolated}\n`);
    return launched;
  } catch (error) {
    if (error instanceof Failure && !isTransient(error)) await removeWorkflow(client, id);
    throw error;
  }
}

/** Deletes a workflow. Failures are ignored, for example if it is in use meanwhile. */
async function removeWorkflow(client: Client, workflowId: string): Promise<void> {
  try {
    await client.call('workflow.v1.WorkflowService/DeleteWorkflow', { workflowId });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
