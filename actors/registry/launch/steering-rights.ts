import type { Caller } from '#contract/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredAgent } from '#store/agent-entity.ts';
import type { Tables } from '#store/store.ts';
import { called } from '../find-agent.ts';
import { findWorkflow } from '../workflow-resource.ts';
import { isWithin } from './directory.ts';
import { checkWanted, grantedHosts, type LaunchRights, more, rightsOf } from './rights.ts';

/**
 * Refuses to have an agent work for another one that could not have launched it: it may be more than that one is. Whom an agent
 * launched itself it may steer.
 * @throws Failure `permission_denied`
 */
export async function checkMayWorkFor(tables: Tables, caller: Caller, agent: StoredAgent): Promise<void> {
  const rights = await rightsOf(tables, caller);
  if (rights === undefined || agent.spawnedByAgentId === rights.agent.id) return;
  const { harness, flags } = agent.launch;
  try {
    const workflow = await findWorkflow(tables.workflows, agent.workflowId);
    checkWanted(rights, { workflow, harness, flags });
    const host = await tables.hosts.find(agent.host);
    grantedHosts(rights, workflow, host ? [host] : [], agent.host);
    checkPlace(rights, agent, workflow.cwd);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'permission_denied') throw error;
    throw new Failure('permission_denied', `Agent ${called(agent)} is more than you are: its ${error.message}`);
  }
}

/** Where an agent was launched into is compared as it was resolved then. */
function checkPlace(rights: LaunchRights, { launch, host }: StoredAgent, base: string): void {
  const { agent, workflow } = rights;
  const own = agent.host === host ? [agent.cwd, agent.launch.cwd] : [];
  const roots = [...own, base, workflow.cwd, ...(workflow.agentsMayLaunch.directories ?? [])];
  if (roots.some((root) => isWithin(root, launch.cwd))) return;
  throw more(rights, 'dir', launch.cwd, `what you have is ${quoted(agent.cwd)}`, `directories ${quoted(launch.cwd)}`);
}
