import type { Client } from '#cli/client/client.ts';
import { Failure } from '#contract/failure.ts';
import { findAgent } from './find-agent.ts';
import { findSchedule } from './find-schedule.ts';
import { findWorkflow } from './find-workflow.ts';

/** How a command names whose budget it means: one of these. */
export interface OwnerFlags {
  readonly workflow?: string;
  readonly schedule?: string;
}

/** The id of the agent, workflow or schedule whose budget is meant. @throws INVALID_ARGUMENT unless exactly one is */
export async function budgetOwner(client: Client, name: string | undefined, flags: OwnerFlags): Promise<string> {
  const { workflow, schedule } = flags;
  const given = [name, workflow, schedule].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw new Failure(
      'INVALID_USAGE',
      'name an agent, or give --workflow NAME or --schedule NAME, and only one of them',
    );
  if (workflow !== undefined) return (await findWorkflow(client, workflow)).id;
  if (schedule !== undefined) return (await findSchedule(client, schedule)).id;
  return (await findAgent(client, name ?? '')).id;
}
