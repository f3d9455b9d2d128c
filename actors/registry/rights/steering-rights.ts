import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { contains } from '#actors/registry/placement/path-within.ts';
import { findWorkflow } from '#actors/registry/workflow/workflow-resource.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { higherLimit } from '#contract/host/limits.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import { findExcess, launchExtrasOf } from './launch-extras.ts';
import { findGrantExcess, launchIsolation } from './launch-isolation.ts';
import { beyondOwnRights, checkHostGranted, checkWanted, type LaunchRights, launchRightsOf } from './rights.ts';

/** Whether a caller may steer an agent: people and orchestrators may steer any agent, a parent its own children. */
export function maySteer(caller: Caller, agent: StoredAgent): boolean {
  return caller.kind === 'person' || caller.role === 'orchestrator' || agent.parentAgentId === caller.agentId;
}

/**
 * Checks that a caller may steer an agent.
 * @throws PERMISSION_DENIED when the caller may not
 */
export function checkSteers(caller: Caller, agent: StoredAgent): void {
  if (maySteer(caller, agent)) return;
  throw new Failure(
    'NOT_YOURS',
    `Agent ${describeAgent(agent)} is not a child of yours: only an orchestrator, or its parent, may do that; ask the person`,
    { field: 'agentId' },
  );
}

/**
 * Checks that a calling agent could have launched an agent that it wants to prompt or retry: otherwise it could use
 * rights that it does not have. Agents that it did launch pass.
 * @throws PERMISSION_DENIED when the other agent has more rights
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
    checkLaunchExtras(rights, agent, workflow);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'permission_denied') throw error;
    throw error.saying(`Agent ${describeAgent(agent)} has more rights than you: its ${error.message}`);
  }
}

/** Checks an agent's directory, as it was resolved at its launch, by the rule for launches. */
function checkPlace(rights: LaunchRights, { launch, host }: StoredAgent, base: string): void {
  const { agent, workflow } = rights;
  const own = agent.host === host ? [agent.cwd, agent.launch.cwd] : [];
  const roots = [...own, base, workflow.cwd, ...(workflow.agentsMayLaunch.directories ?? [])];
  const stateFolder = rights.hosts.find(({ id }) => id === host)?.condition?.stateFolder;
  if (roots.some((root) => contains(root, launch.cwd, stateFolder))) return;
  throw beyondOwnRights(
    rights,
    'dir',
    launch.cwd,
    `what you have is ${quoted(agent.cwd)}`,
    `directories ${quoted(launch.cwd)}`,
  );
}

/** Checks that what an agent was given is not more than what the caller could give it now. */
function checkLaunchExtras(rights: LaunchRights, { launch }: StoredAgent, workflow: StoredWorkflow): void {
  if (launch.profileId !== undefined && launch.profileId !== rights.agent.launch.profileId) {
    throw new Failure(
      'BEYOND_OWN_RIGHTS',
      'profile is not yours: an agent cannot prompt or retry one with another profile than its own. Leave that to the person',
    );
  }
  const found = findExcess(launch, launchExtrasOf(workflow, rights));
  const beyond =
    findGrantExcess(launch, launchIsolation({ isolation: undefined, workflow, rights })) ??
    higherLimit(launch.grants, rights.agent.launch.grants);
  if (beyond !== undefined) {
    throw new Failure(
      'BEYOND_OWN_RIGHTS',
      `isolation is weaker than yours (${beyond}): an agent cannot prompt or retry one that reaches more than itself. Leave that ` +
        'to the person',
      { field: 'isolation' },
    );
  }
  if (found === undefined) return;
  throw new Failure(
    'BEYOND_OWN_RIGHTS',
    `${found.field} has ${quoted(found.value)}, which you do not have: an agent cannot prompt or retry one with more rights than ` +
      'its own. Leave that to the person',
  );
}
