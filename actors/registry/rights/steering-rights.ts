import { called } from '#actors/registry/agent/find-agent.ts';
import { holds } from '#actors/registry/placement/within.ts';
import { findWorkflow } from '#actors/registry/workflow/workflow-resource.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/store.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import { beyond, endowmentOf } from './endowment.ts';
import { checkHostGranted, checkWanted, type LaunchRights, launchRightsOf, more } from './rights.ts';

/** Whether a caller may steer an agent: a person and an orchestrator may, and a parent its own children. */
export function maySteer(caller: Caller, agent: StoredAgent): boolean {
  return caller.kind === 'person' || caller.role === 'orchestrator' || agent.parentAgentId === caller.agentId;
}

/**
 * Refuses a caller who may not steer an agent.
 * @throws PERMISSION_DENIED
 */
export function checkSteers(caller: Caller, agent: StoredAgent): void {
  if (maySteer(caller, agent)) return;
  throw new Failure(
    'NOT_YOURS',
    `Agent ${called(agent)} is not a child of yours: only an orchestrator, or its parent, may do that; ask the person`,
    { field: 'agentId' },
  );
}

/**
 * Refuses to have an agent work for another one that could not have launched it: it may be more than that one is. Whom
 * an agent launched itself it may steer.
 * @throws PERMISSION_DENIED
 */
export async function checkMayWorkFor(tables: Tables, caller: Caller, agent: StoredAgent): Promise<void> {
  const rights = await launchRightsOf(tables, caller);
  if (rights === undefined || agent.spawnedByAgentId === rights.agent.id) return;
  const { harness, flags } = agent.launch;
  try {
    const workflow = await findWorkflow(tables.workflows, agent.workflowId);
    checkWanted(rights, { workflow, harness, flags });
    checkHostGranted(rights, workflow, { id: agent.host }, agent.host);
    checkPlace(rights, agent, workflow.cwd);
    checkEndowment(rights, agent, workflow);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'permission_denied') throw error;
    throw error.saying(`Agent ${called(agent)} has more rights than you: its ${error.message}`);
  }
}

/** Where an agent was launched into is compared as it was resolved then, by the same rule as for a launch. */
function checkPlace(rights: LaunchRights, { launch, host }: StoredAgent, base: string): void {
  const { agent, workflow } = rights;
  const own = agent.host === host ? [agent.cwd, agent.launch.cwd] : [];
  const roots = [...own, base, workflow.cwd, ...(workflow.agentsMayLaunch.directories ?? [])];
  const stateFolder = rights.hosts.find(({ id }) => id === host)?.condition?.stateFolder;
  if (roots.some((root) => holds(root, launch.cwd, stateFolder))) return;
  throw more(rights, 'dir', launch.cwd, `what you have is ${quoted(agent.cwd)}`, `directories ${quoted(launch.cwd)}`);
}

/** What a workflow gave an agent is compared with what a launch of it would be given now. */
function checkEndowment(rights: LaunchRights, { launch }: StoredAgent, workflow: StoredWorkflow): void {
  const found = beyond(launch, endowmentOf(workflow, rights));
  if (found === undefined) return;
  throw new Failure(
    'BEYOND_OWN_RIGHTS',
    `${found.field} has ${quoted(found.value)}, which you do not have: what an agent prompts or retries never has more rights than ` +
      'itself. Leave that to the person',
  );
}
