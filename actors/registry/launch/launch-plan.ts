import { isBeingDeleted } from '#actors/registry/agent/agent-standing.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { requireHost } from '#actors/registry/host/host-name.ts';
import { checkHarness } from '#actors/registry/placement/check-launch.ts';
import { byAgents, type Fleet, readFleet } from '#actors/registry/placement/fleet.ts';
import { candidatesAmong } from '#actors/registry/placement/host-fit.ts';
import { hostsFor, takingHosts } from '#actors/registry/placement/placement.ts';
import type { QueueEntry } from '#actors/registry/placement/queue-order.ts';
import { refuseCommand } from '#actors/registry/rights/command-prompt.ts';
import {
  checkHostGranted,
  checkWanted,
  isHostGranted,
  type LaunchRights,
  launchRightsOf,
} from '#actors/registry/rights/rights.ts';
import { findWorkflow } from '#actors/registry/workflow/workflow-resource.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { AgentRole } from '#contract/agent/agent.ts';
import { Failure } from '#contract/failure.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import { quoted } from '#contract/quoted.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import { entryOf } from './launch-order.ts';
import { type LaunchProfile, launchProfile } from './launch-profile.ts';

/** What the database determines about a launch. */
export interface LaunchPlan {
  readonly workflow: StoredWorkflow;
  readonly parent: StoredAgent | undefined;
  readonly role: AgentRole;
  /** Undefined if the host's first harness is used. */
  readonly harness: string | undefined;
  readonly flags: string;
  readonly profile: LaunchProfile;
  /** What the caller may launch if it is an agent; undefined for a person. */
  readonly rights: LaunchRights | undefined;
  /** The hosts that it may be placed on, best first. None if those that it selects cannot take it now. */
  readonly hosts: readonly StoredHost[];
  /** What it needs of its host. */
  readonly entry: QueueEntry;
  /** The fleet that it was planned from. */
  readonly fleet: Fleet;
}

/**
 * Checks a launch request against the database, and plans the launch.
 * @throws NOT_FOUND when the parent, workflow or host does not exist; FAILED_PRECONDITION when they do not allow the
 *   launch; PERMISSION_DENIED when the calling agent may not launch it; UNAVAILABLE when no suitable host is online
 */
export async function planLaunch(
  tables: Tables,
  harnesses: Harnesses,
  request: CreateAgentRequest,
  caller: Caller,
): Promise<LaunchPlan> {
  const { parentAgentId, workflowId } = request;
  const fleet = await readFleet(tables);
  if (request.harness) checkHarness(fleet.hosts, harnesses, request.harness);
  const parent = parentAgentId ? await findParent(tables, parentAgentId, workflowId) : undefined;
  const workflow = await findWorkflow(tables.workflows, workflowId);
  const role = roleOf(request, workflow, parent);
  if (caller.kind === 'agent' && role === 'AGENT_ROLE_ORCHESTRATOR') {
    throw new Failure(
      'BEYOND_OWN_RIGHTS',
      'An agent may not launch an orchestrator: name another role, or ask the person',
      { field: 'role' },
    );
  }
  const rights = await launchRightsOf(tables, caller, fleet.hosts);
  // If neither request nor workflow names a harness, a person gets the host's first, and an agent its own.
  const harness = request.harness || workflow.harness || rights?.agent.launch.harness || undefined;
  const flags = flagsOf(request, workflow);
  if (rights !== undefined) checkWanted(rights, { workflow, harness, flags });
  const profile = await launchProfile(tables, request, workflow, rights);
  refuseCommand(caller, harnesses, harness, request.prompt);
  checkSelector(request, parent);
  const entry = entryOf(request, workflow, rights?.agent);
  const named = parent === undefined ? entry.wanted.named : hostOfChild(request, parent);
  if (rights !== undefined && named !== undefined) {
    checkHostGranted(rights, workflow, requireHost(rights.hosts, named), named);
  }
  const plan = { workflow, parent, role, harness, flags, profile, rights, entry, fleet };
  if (parent === undefined && entry.wanted.selector.length > 0) return { ...plan, hosts: selected(plan) };
  // For an agent, include new hosts: its own host may be new. The next line restricts the choice to its own.
  const found = hostsFor(fleet, named, harness && { harness, harnesses }, rights && (() => true));
  const granted = rights === undefined ? found : ownHosts(rights, workflow, found);
  const hosts = harness === undefined ? granted : hostsWithCli(harness, harnesses, granted);
  return { ...plan, hosts: parent === undefined ? takingHosts(hosts) : hosts };
}

/** The hosts that a launch selects by labels and that can take it now: none is no error, because it waits for one. */
function selected({
  entry: { wanted },
  rights,
  workflow,
  fleet,
}: Pick<LaunchPlan, 'entry' | 'rights' | 'workflow' | 'fleet'>): readonly StoredHost[] {
  if (wanted.named !== undefined) requireHost(fleet.hosts, wanted.named);
  return candidatesAmong(fleet.hosts, wanted)
    .candidates.filter((host) => rights === undefined || isHostGranted(rights, workflow, host))
    .toSorted(byAgents(fleet));
}

/** @throws INVALID_ARGUMENT when the host of a child is selected: it runs on its parent's */
function checkSelector({ hostSelector = [] }: CreateAgentRequest, parent: StoredAgent | undefined): void {
  if (parent === undefined || hostSelector.length === 0) return;
  throw new Failure(
    'CONFLICTING_FIELDS',
    `hostSelector is ${quoted(hostSelector.join(' '))} together with parentAgentId: a child runs on its parent's host, so leave it out`,
    { field: 'hostSelector' },
  );
}

/** The hosts that an agent may launch on. @throws UNAVAILABLE when there is none */
function ownHosts(rights: LaunchRights, workflow: StoredWorkflow, found: readonly StoredHost[]): readonly StoredHost[] {
  const hosts = found.filter((host) => isHostGranted(rights, workflow, host));
  if (hosts.length > 0) return hosts;
  throw new Failure(
    'NO_HOST_AVAILABLE',
    `Your host (${rights.agent.host}) accepts no launch now: it is offline, or lacks the harness. Try again, or ask the person`,
  );
}

/** The request's flags, or else the workflow's, which are only for the harness that the workflow names. */
function flagsOf({ flags, clear, harness }: CreateAgentRequest, workflow: StoredWorkflow): string {
  if (flags) return flags;
  const isOther = harness && workflow.harness !== '' && harness !== workflow.harness;
  return isOther || clear?.includes('flags') ? '' : workflow.flags;
}

/** The hosts that have a harness. @throws FAILED_PRECONDITION when none does */
function hostsWithCli(harness: string, harnesses: Harnesses, hosts: readonly StoredHost[]): readonly StoredHost[] {
  const able = hosts.filter((host) => host.harnesses.includes(harness));
  if (able.length > 0) return able;
  const names = hosts.map(({ name }) => name).join(' and ');
  const theirs = [...new Set(hosts.flatMap((host) => host.harnesses))];
  const command = harnesses.find(harness)?.command ?? harness;
  const instead = theirs.length > 0 ? `: there is ${theirs.join(', ')}` : '';
  throw new Failure(
    'HARNESS_UNAVAILABLE',
    `${command} is not on the PATH of ${names}: install it there, which muster notices within seconds, or name another harness${instead}`,
    { field: 'harness' },
  );
}

async function findParent({ agents }: Tables, parentAgentId: string, workflowId: string): Promise<StoredAgent> {
  const parent = await findAgent(agents, parentAgentId);
  const refuse = (why: string, field = 'parentAgentId') =>
    new Failure('PARENT_NOT_ELIGIBLE', `Agent ${describeAgent(parent)} cannot have this child: ${why}`, { field });
  if (parent.parentAgentId != null) throw refuse('it is a child, and a child may not have children');
  if (parent.role === 'AGENT_ROLE_ORCHESTRATOR') {
    throw refuse(
      'it is an orchestrator: launch an agent without a parent, with provisionEnabled false if it only reads',
    );
  }
  if (parent.workflowId !== workflowId) {
    throw refuse(`its workflow is ${parent.workflowId} and not ${quoted(workflowId)}: pass its own`, 'workflowId');
  }
  if (parent.standing === 'archived') throw refuse('it is archived: restore it first');
  if (isBeingDeleted(parent)) throw refuse('it is being deleted');
  if (parent.movingTo != null) {
    throw refuse(`it moves to ${parent.movingTo}: wait until it has arrived, or cancel the move`);
  }
  if (parent.queued) throw refuse('it waits to be placed on a host: wait until it is set up');
  if (parent.worktreeRemoved) throw refuse('its worktree is gone');
  if (parent.launch.provision && parent.cwd === parent.launch.cwd) {
    throw refuse(`its worktree does not exist yet (${parent.state}): wait until it is set up`);
  }
  return parent;
}

function roleOf({ role }: CreateAgentRequest, workflow: StoredWorkflow, parent: StoredAgent | undefined): AgentRole {
  if (role && role !== 'AGENT_ROLE_UNSPECIFIED') return role;
  if (parent !== undefined) return 'AGENT_ROLE_REVIEWER';
  return workflow.role ?? 'AGENT_ROLE_IMPLEMENTER';
}

function hostOfChild({ host }: CreateAgentRequest, parent: StoredAgent): string {
  if (host && host !== parent.host) {
    throw new Failure(
      'CONFLICTING_FIELDS',
      `host is ${quoted(host)} together with parentAgentId: a child runs on its parent's host (${parent.host}), so leave it out`,
      { field: 'host' },
    );
  }
  return parent.host;
}
