import { type DirectoryReport, type Place, placeIn, placeOf } from '#actors/registry/placement/placement.ts';
import { type FirstRound, firstRound } from '#actors/registry/review/first-round.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { checkDirectoryGranted, otherRepository } from './directory.ts';
import type { LaunchPlan } from './launch-plan.ts';
import type { LaunchScope } from './launch-scope.ts';

/** A workflow's directory, as a host has reported it. */
export interface ReportedPlace {
  readonly directory: string;
  readonly host: StoredHost;
  readonly said: DirectoryReport;
}

/** On whose behalf a launch is prepared. */
export interface PrepareOptions {
  readonly caller: Caller;
  /** Where the workflow's directory is, if a host has just reported it. Used only if the agent may be placed there. */
  readonly found?: ReportedPlace | undefined;
}

/** The launching agent's id, or `person`. */
export function creatorOf(caller: Caller): string {
  return caller.kind === 'person' ? 'person' : caller.agentId;
}

/** Where the agent starts. A child starts in its parent's directory, which is not checked again. */
async function placeFor(
  { lines }: LaunchScope,
  request: CreateAgentRequest,
  plan: LaunchPlan,
  known: ReportedPlace | undefined,
): Promise<Place> {
  const { dir, provisionEnabled } = request;
  const { parent, workflow, hosts, rights } = plan;
  const [first] = hosts;
  if (parent !== undefined && first !== undefined) return { host: first, path: parent.cwd, isRepository: false };
  const isKnown = known?.directory === workflow.cwd && hosts.some(({ id }) => id === known.host.id);
  if (!dir && isKnown) return placeIn(known.host, known.said);
  if (!dir) return placeOf(lines, { field: "the workflow's cwd", path: workflow.cwd }, hosts);
  if (rights === undefined) return placeOf(lines, { field: 'dir', path: dir }, hosts);
  return placeOf(lines, { field: 'dir', path: dir }, hosts, async (host, found) => {
    const { repository, mayProvision } = await checkDirectoryGranted(lines, rights, { dir, workflow, host }, found);
    if (!mayProvision && (provisionEnabled ?? workflow.provisionEnabled ?? found.isRepository)) {
      throw otherRepository(rights, found.path, workflow.cwd);
    }
    return { repository };
  });
}

/** What is read from hosts and files before the transaction that launches the agent. */
export interface PreparedLaunch {
  /** Undefined if no host can take it now. */
  readonly place: Place | undefined;
  /** The start of the briefing, by role. */
  readonly opening: string;
  /** The round that a reviewer is to review. */
  readonly round: FirstRound | undefined;
}

/** Asks the hosts of a plan for a place, and reads what belongs to the briefing. */
export async function prepare(
  scope: LaunchScope,
  request: CreateAgentRequest,
  { caller, found }: PrepareOptions,
  plan: LaunchPlan,
): Promise<PreparedLaunch> {
  const place = plan.hosts.length > 0 ? await placeFor(scope, request, plan, found) : undefined;
  const { parent, role } = plan;
  const isReviewing = parent !== undefined && role === 'AGENT_ROLE_REVIEWER';
  const round = isReviewing ? await firstRound(scope, parent, creatorOf(caller)) : undefined;
  return { place, opening: await scope.briefings.atLaunch(role), round };
}
