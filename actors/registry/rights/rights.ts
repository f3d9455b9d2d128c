import { uniqueHost } from '#actors/registry/host/host-name.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { splitFlags } from '#machines/flags.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';

/** What an agent may launch: nothing with more rights than its own, except what its workflow grants. */
export interface LaunchRights {
  readonly agent: StoredAgent;
  /** The agent's workflow, whose grant applies to it. */
  readonly workflow: StoredWorkflow;
  /** Every host: a name identifies a host only if no other host has it. */
  readonly hosts: readonly StoredHost[];
}

/** What an agent wants to launch. */
export interface LaunchRequest {
  readonly workflow: StoredWorkflow;
  /** Undefined if neither request nor workflow names one, so that the host's first is used. */
  readonly harness: string | undefined;
  readonly flags: string;
}

/**
 * What a caller may launch; undefined for a person, who may launch anything. `known` are all hosts, if they were read.
 * @throws PERMISSION_DENIED when the workflow of a calling agent is deleted
 */
export async function launchRightsOf(
  { agents, workflows, hosts }: Tables,
  caller: Caller,
  known?: readonly StoredHost[],
): Promise<LaunchRights | undefined> {
  if (caller.kind === 'person') return undefined;
  const agent = await agents.find(caller.agentId);
  const workflow = agent && (await workflows.find(agent.workflowId));
  if (agent !== undefined && workflow !== undefined) return { agent, workflow, hosts: known ?? (await hosts.all()) };
  throw new Failure('WORKFLOW_GONE', `The workflow of agent ${caller.agentId} is gone: ask the person`);
}

/**
 * Checks that a launch has no more rights than the calling agent, except granted ones.
 * @throws PERMISSION_DENIED when it has; names the field, its value, and how a person can grant it
 */
export function checkWanted(rights: LaunchRights, { workflow, harness = '', flags }: LaunchRequest): void {
  const { agent, workflow: own } = rights;
  const { harnesses = [], flags: grantedFlags = [], workflowIds = [] } = own.agentsMayLaunch;
  const isOwn = workflow.id === own.id;
  if (!isOwn && !workflowIds.includes(workflow.id)) {
    throw beyondOwnRights(rights, 'workflowId', workflow.id, `your own is ${own.id}`, `workflow-ids ${workflow.id}`);
  }
  // For a granted workflow, compare with that workflow's settings instead of the agent's.
  const ownHarness = isOwn ? agent.launch.harness : workflow.harness || agent.launch.harness;
  if (harness !== ownHarness && !harnesses.includes(harness)) {
    const why = isOwn
      ? `you run ${quoted(ownHarness)}`
      : `workflow ${quoted(workflow.name)} runs ${quoted(ownHarness)}`;
    throw beyondOwnRights(rights, 'harness', harness, why, `harnesses ${harness}`);
  }
  const ownFlags = isOwn ? agent.launch.flags : workflow.flags;
  if (![ownFlags, ...grantedFlags].some((allowed) => areSameFlags(allowed, flags))) {
    const whose = isOwn ? 'you run with' : `workflow ${quoted(workflow.name)} runs with`;
    throw beyondOwnRights(rights, 'flags', flags, `${whose} ${quoted(ownFlags)}`, `flags=${quoted(flags)}`);
  }
}

/** Whether an agent may launch into a workflow on a host. */
export function isHostGranted(
  { agent, workflow: own, hosts: all }: LaunchRights,
  workflow: StoredWorkflow,
  host: Pick<StoredHost, 'id'>,
): boolean {
  const { hosts = [] } = own.agentsMayLaunch;
  const named = workflow.id === own.id || workflow.host === '' ? hosts : [...hosts, workflow.host];
  return host.id === agent.host || named.some((name) => uniqueHost(all, name)?.id === host.id);
}

/** @throws PERMISSION_DENIED when an agent may not launch on a host */
export function checkHostGranted(
  rights: LaunchRights,
  workflow: StoredWorkflow,
  host: Pick<StoredHost, 'id'>,
  named: string,
): void {
  if (isHostGranted(rights, workflow, host)) return;
  throw beyondOwnRights(rights, 'host', named, `you run on ${rights.agent.host}`, `hosts ${named}`);
}

/**
 * The refusal of a launch with more rights than the agent's own. `grant` completes the option of `muster workflow edit`
 * that grants it.
 */
export function beyondOwnRights(
  rights: LaunchRights,
  field: string,
  value: string,
  why: string,
  grant: string,
): Failure {
  return new Failure(
    'BEYOND_OWN_RIGHTS',
    `${field} is ${quoted(value)}, and ${why}: an agent cannot launch, prompt or retry one with more rights than its own. Leave that ` +
      'to the person, who can do it or allow it to agents of your workflow: ' +
      `muster workflow edit ${quoted(rights.workflow.name)} --agents-may-launch-${grant}`,
    { field },
  );
}

/** Whether two strings of flags make the same command line, however they are quoted. */
function areSameFlags(one: string, other: string): boolean {
  const [words, others] = [splitFlags(one), splitFlags(other)];
  return words !== undefined && JSON.stringify(words) === JSON.stringify(others);
}
