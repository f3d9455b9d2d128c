import { Failure } from '#contract/failure.ts';
import {
  type Grants,
  type Isolation,
  isolationBy,
  type NetworkAccess,
  type Runtime,
  runtimeOf,
} from '#contract/host/isolation.ts';
import { type Limits, limitsIn, lowerLimits } from '#contract/host/limits.ts';
import { quoted } from '#contract/quoted.ts';
import type { Launch } from '#contract/wire/agent-record.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';
import { beyondOwnRights, type LaunchRights } from './rights.ts';

/** What separates an agent from its host, what it may reach, and what it may use at most. */
export type LaunchIsolation = Pick<Launch, 'isolation' | 'isolationRequested' | 'grants'>;

interface IsolationRequest {
  readonly isolation: Isolation | undefined;
  readonly workflow: StoredWorkflow;
  /** What the caller may launch if it is an agent; undefined for a person. */
  readonly rights: LaunchRights | undefined;
  /** The parent of a child, whose sandbox it shares. */
  readonly parent?: StoredAgent | undefined;
}

/**
 * How a launch is isolated. A child shares its parent's sandbox. Nothing that an agent launches is less isolated than
 * the agent itself, or than the workflow says.
 * @throws PERMISSION_DENIED when an agent asks for less isolation; INVALID_ARGUMENT when a child asks for another one, or
 * the workflow names no image for a container
 */
export function launchIsolation({ isolation, workflow, rights, parent }: IsolationRequest): LaunchIsolation {
  if (parent !== undefined) return ofParent(isolation, parent);
  const isRequested = isolation !== undefined && isolation !== 'ISOLATION_UNSPECIFIED';
  const ofWorkflow = runtimeOf(workflow.isolation);
  const own = rights?.agent.launch.isolation;
  const least = rights?.workflow.id === workflow.id ? stronger(ofWorkflow, own) : (ofWorkflow ?? own);
  const asked = runtimeOf(isolation);
  if (rights !== undefined && isRequested && strengthOf(asked) < strengthOf(least)) {
    const why = least === own ? `you run in a ${own}` : `workflow "${workflow.name}" says ${least}`;
    throw beyondOwnRights(rights, 'isolation', asked ?? 'none', why, `workflow-ids ${workflow.id}`);
  }
  const runtime = isRequested ? asked : rights === undefined ? ofWorkflow : least;
  const request = isRequested ? { isolationRequested: true as const } : {};
  if (runtime === undefined) return { ...request, ...limitsAlone(grantedLimits(workflow, rights)) };
  const grants = grantsFor(workflow, rights);
  if (runtime === 'container' && !grants.image) {
    throw new Failure(
      'INVALID_FIELD',
      `isolation is container, but workflow ${quoted(workflow.name)} has no image: name one with \`muster workflow edit --image\``,
      { field: 'isolation' },
    );
  }
  return { ...request, isolation: runtime, grants };
}

/** The isolation of an agent that is launched again with what its workflow says now. */
export function currentIsolation(
  { isolation, isolationRequested, grants }: LaunchIsolation,
  workflow: StoredWorkflow,
  rights: LaunchRights | undefined,
): LaunchIsolation {
  const now = launchIsolation({ isolation: undefined, workflow, rights });
  if (!isolationRequested) return now;
  if (isolation === undefined) {
    return { isolationRequested, ...(now.isolation && rights ? now : limitsAlone(now.grants)) };
  }
  return { isolationRequested, isolation, grants: now.grants ?? grants ?? {} };
}

/** What an isolated launch has that another one lacks; undefined if there is nothing. */
export function findGrantExcess(launch: LaunchIsolation, other: LaunchIsolation): string | undefined {
  if (other.isolation === undefined) return undefined;
  if (strengthOf(launch.isolation) < strengthOf(other.isolation)) return launch.isolation ?? 'none';
  const [grants, others] = [launch.grants ?? {}, other.grants ?? {}];
  if (breadthOf(grants.network) > breadthOf(others.network)) return 'network';
  if (launch.isolation === 'container' && grants.image !== others.image) return 'image';
  return lists.find((list) => grants[list]?.some((one) => !isIn(others[list], one)));
}

function ofParent(isolation: Isolation | undefined, { launch }: StoredAgent): LaunchIsolation {
  const own = isolationBy(launch.isolation) ?? 'ISOLATION_NONE';
  if (isolation !== undefined && isolation !== 'ISOLATION_UNSPECIFIED' && isolation !== own) {
    throw new Failure(
      'CONFLICTING_FIELDS',
      `isolation is ${isolation} together with parentAgentId: a child is isolated like its parent (${own}), so leave it out`,
      { field: 'isolation' },
    );
  }
  if (launch.isolation === undefined) return limitsAlone(launch.grants);
  return { isolation: launch.isolation, grants: launch.grants ?? {} };
}

/** The grants of an agent that is not isolated: its limits. */
function limitsAlone(grants: Limits | undefined): Pick<LaunchIsolation, 'grants'> {
  const limits = limitsIn(grants);
  return limits === undefined ? {} : { grants: limits };
}

/** A workflow's limits; for an agent at most its own. */
function grantedLimits(workflow: StoredWorkflow, rights: LaunchRights | undefined): Limits {
  return lowerLimits(workflow.grants, rights?.agent.launch.grants);
}

/** A workflow's grants; for an isolated agent at most its own, unless the workflow is another one that it may use. */
function grantsFor(workflow: StoredWorkflow, rights: LaunchRights | undefined): Grants {
  const { isolation, grants: own = {} } = rights?.agent.launch ?? {};
  const limits = grantedLimits(workflow, rights);
  if (rights === undefined || isolation === undefined) return { ...workflow.grants, ...limits };
  const network = narrower(own.network, workflow.grants.network);
  if (rights.workflow.id !== workflow.id) return { ...workflow.grants, ...limits, network };
  const shared = lists.map((list) => [list, workflow.grants[list]?.filter((one) => isIn(own[list], one)) ?? []]);
  const image = own.image || workflow.grants.image;
  return { ...workflow.grants, ...limits, network, ...Object.fromEntries(shared), ...(image && { image }) };
}

const lists = ['hosts', 'loopbackPorts', 'readable', 'writable'] as const;

function isIn(list: readonly (string | number)[] | undefined, one: string | number): boolean {
  return list?.includes(one) === true;
}

/** How much each kind of isolation separates. */
const strengths: Readonly<Record<Runtime, number>> = { sandbox: 1, container: 2 };

function strengthOf(runtime: Runtime | undefined): number {
  return runtime === undefined ? 0 : strengths[runtime];
}

function stronger(one: Runtime | undefined, other: Runtime | undefined): Runtime | undefined {
  return strengthOf(one) >= strengthOf(other) ? one : other;
}

const breadths: Readonly<Record<NetworkAccess, number>> = {
  NETWORK_ACCESS_NONE: 0,
  NETWORK_ACCESS_FILTERED: 1,
  NETWORK_ACCESS_UNSPECIFIED: 1,
  NETWORK_ACCESS_OPEN: 2,
};

function breadthOf(network: NetworkAccess = 'NETWORK_ACCESS_UNSPECIFIED'): number {
  return breadths[network];
}

function narrower(one: NetworkAccess | undefined, other: NetworkAccess | undefined): NetworkAccess {
  const narrow = breadthOf(one) <= breadthOf(other) ? one : other;
  return narrow ?? 'NETWORK_ACCESS_FILTERED';
}
