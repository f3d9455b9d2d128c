import { resolve } from 'node:path';
import type { Client } from '#cli/client/client.ts';
import type { Session } from '#cli/client/session.ts';
import type { ListedAgent } from '#cli/find/find-agent.ts';
import { findWorkflow } from '#cli/find/find-workflow.ts';
import { type WorkflowHere, workflowHere } from '#cli/find/workflow-here.ts';
import { printable } from '#contract/printable.ts';

/** Where a person wants an agent to start. */
export interface PlaceFlags {
  readonly workflow?: string;
  readonly dir?: string;
  readonly host?: string;
  /** Also that of a workflow that is created for it. */
  readonly harness?: string;
}

/** Where a launch starts. */
export interface LaunchPlace {
  /** The fields of the request. */
  readonly fields: { readonly workflowId: string; readonly dir?: string };
  /** The workflow that was just created for it. */
  readonly made?: Pick<WorkflowHere, 'workflow' | 'notIsolated'>;
}

/**
 * The place of a launch: the named workflow, else the parent's, else the calling agent's own, else that of the
 * repository in the current directory or in --dir, created if there is none. Outside of repositories, and with --host,
 * the workflow `default`.
 */
export async function launchPlace(
  session: Session,
  client: Client,
  flags: PlaceFlags,
  parent: ListedAgent | undefined,
): Promise<LaunchPlace> {
  const { io } = session;
  const dir = flags.dir === undefined || flags.dir.startsWith('~') ? flags.dir : resolve(io.cwd, flags.dir);
  const at = dir === undefined ? {} : { dir };
  if (flags.workflow !== undefined)
    return { fields: { workflowId: (await findWorkflow(client, flags.workflow)).id, ...at } };
  const own = parent?.agent.workflowId ?? (await workflowOfCaller(session, client));
  if (own !== undefined) return { fields: { workflowId: own, ...at } };
  const repository = flags.host === undefined ? await (await session.local()).repository(dir ?? io.cwd) : undefined;
  if (repository === undefined) return { fields: { workflowId: (await findWorkflow(client, 'default')).id, ...at } };
  const { workflow, dir: checkout, isNew, names, notIsolated } = await workflowHere(client, repository, flags.harness);
  if (names.length > 1) io.stderr.write(chosenText(workflow, names));
  return {
    fields: { workflowId: workflow.id, ...(checkout !== undefined && { dir: checkout }), ...at },
    ...(isNew && { made: { workflow, notIsolated } }),
  };
}

/** Says which of several workflows of a repository is used, and how to choose another one. */
function chosenText({ id, name = id, cwd = '' }: WorkflowHere['workflow'], names: readonly string[]): string {
  const others = names.filter((other) => other !== name).map(printable);
  return (
    `Launching with ${printable(name)}, the workflow of ${printable(cwd)} that was changed last; ` +
    `--workflow selects another: ${others.join(', ')}\n`
  );
}

/** In an agent's pane, the workflow of the agent. */
async function workflowOfCaller({ io }: Session, client: Client): Promise<string | undefined> {
  const agentId = io.env['SERVICE_AGENT_ID'];
  if (!agentId) return undefined;
  const { agent } = await client.call('agent.v1.AgentService/GetAgent', { agentId });
  return agent?.agent?.workflowId;
}
