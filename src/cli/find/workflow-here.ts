import { basename } from 'node:path';
import type { Client } from '#cli/client/client.ts';
import type { LocalRepository } from '#cli/client/local.ts';
import { Failure } from '#contract/failure.ts';
import type { Workflow } from '#contract/workflow.ts';
import { everyWorkflow } from './find-workflow.ts';

/** The workflow of a repository, the directory to start in, and whether it was just created. */
export interface WorkflowHere {
  readonly workflow: Workflow & { readonly id: string };
  /** The checkout, if it is not the workflow's directory. */
  readonly dir: string | undefined;
  readonly isNew: boolean;
  /** Why its agents are not isolated, if it was just created and they would be by default. */
  readonly notIsolated?: string | undefined;
  /** The names of the workflows with that directory. */
  readonly names: readonly string[];
}

/** How many names are tried for a new workflow, each with the next number. */
const maxNames = 100;
/** The maximum length of a name before its number, in characters. */
const maxNameLength = 190;

/**
 * The workflow of a repository on this computer: the one whose directory is the checkout, else its main checkout; of
 * several the one changed last. If there is none, one is created, named after the main checkout's folder, with the harness
 * that is given.
 */
export async function workflowHere(
  client: Client,
  { checkout, main }: LocalRepository,
  harness: string | undefined,
): Promise<WorkflowHere> {
  const find = async (): Promise<WorkflowHere | undefined> => {
    const workflows = await everyWorkflow(client);
    const workflow = workflows.find(({ cwd }) => cwd === checkout) ?? workflows.find(({ cwd }) => cwd === main);
    if (workflow?.id === undefined) return undefined;
    const names = workflows.filter(({ cwd }) => cwd === workflow.cwd).map(({ id = '', name = id }) => name);
    return { ...here({ ...workflow, id: workflow.id }, checkout), isNew: false, names };
  };
  const found = await find();
  if (found !== undefined) return found;
  const plain = basename(main).slice(0, maxNameLength) || 'root';
  for (let number = 1; number <= maxNames; number += 1) {
    const name = number === 1 ? plain : `${plain}-${number}`;
    const made = await make(client, { name, cwd: main, ...(harness !== undefined && { harness }) });
    if (made !== undefined) {
      const { workflow, notIsolated } = made;
      return { ...here(workflow, checkout), isNew: true, names: [name], notIsolated };
    }
    // The name belongs to another directory's workflow, or another call has just created this one.
    const meanwhile = await find();
    if (meanwhile !== undefined) return meanwhile;
  }
  throw new Failure('INVALID_USAGE', `${maxNames} workflows are called ${basename(main)}: name one with --workflow`);
}

/** Undefined if the name is taken. */
async function make(
  client: Client,
  wanted: { readonly name: string; readonly cwd: string; readonly harness?: string },
): Promise<Pick<WorkflowHere, 'workflow' | 'notIsolated'> | undefined> {
  try {
    const { workflow, notIsolated } = await client.call('workflow.v1.WorkflowService/CreateWorkflow', wanted);
    if (workflow?.id !== undefined) return { workflow: { ...workflow, id: workflow.id }, notIsolated };
    throw new Failure('INTERNAL', `workflow ${wanted.name} was made without an id`);
  } catch (error) {
    if (error instanceof Failure && error.reason === 'NAME_TAKEN') return undefined;
    throw error;
  }
}

function here(workflow: WorkflowHere['workflow'], checkout: string): Pick<WorkflowHere, 'workflow' | 'dir'> {
  return { workflow, dir: workflow.cwd === checkout ? undefined : checkout };
}
