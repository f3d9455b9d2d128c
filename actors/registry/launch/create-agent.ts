import { cleanName, freeName, nameFromPrompt } from '#actors/registry/agent/agent-name.ts';
import { change } from '#actors/registry/agent/change.ts';
import { withEnd } from '#actors/registry/agent/with-end.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { type FoundDirectory, type Place, placeIn, placeOf } from '#actors/registry/placement/placement.ts';
import { type FirstRound, firstRound, roundText } from '#actors/registry/review/first-round.ts';
import { launchExtrasOf } from '#actors/registry/rights/launch-extras.ts';
import { shownAgent, wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { briefingOf, taskOf } from '#contract/agent/briefing.ts';
import { Failure } from '#contract/failure.ts';
import { type CreateAgentRequest, createAgent } from '#contract/operations/create-agent.ts';
import type { Launch } from '#contract/wire/agent-record.ts';
import type { AgentScript } from '#machines/agent/agent-context.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/store.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import { checkRequest } from './check-request.ts';
import { checkDirectoryGranted, otherRepository } from './directory.ts';
import { type LaunchPlan, planLaunch } from './launch-plan.ts';
import type { LaunchScope } from './launch-scope.ts';
import { leftBehindOf } from './left-behind.ts';
import { refuseWithoutRoom } from './quota.ts';

/** A workflow's directory, as a host has reported it. */
export interface FoundPlace {
  readonly directory: string;
  readonly host: StoredHost;
  readonly said: FoundDirectory;
}

/** On whose behalf an agent is launched. */
interface Origin {
  readonly caller: Caller;
  /** Who the idempotency key belongs to: `person`, an agent's id, or a schedule's id. */
  readonly createdBy: string;
  readonly scheduleId?: string;
  /** Where the workflow's directory is, if a host has just reported it. Used only if the agent may be placed there. */
  readonly found?: FoundPlace | undefined;
  /** Whether listings for people leave the agent out. */
  readonly hidden?: boolean;
  /** Writes more in the transaction that creates the agent. */
  settle?(writing: Change, agentId: string): Promise<void>;
}

/** Launches an agent. When it answers, the agent is stored, in AGENT_STATE_SETTING_UP. */
export const createAgentHandler = handler(createAgent, async (request, caller, scope: LaunchScope) => {
  const agent = await launchAgent(request, { caller, createdBy: creatorOf(caller) }, scope);
  const left = caller.kind === 'person' ? await leftBehindOf(scope, agent.id ?? '') : undefined;
  return { agent, ...(left && { leftBehind: left }) };
});

/** Launches an agent, once for each idempotency key of its creator. A repeat returns the agent as it is then. */
export function launchAgent(request: CreateAgentRequest, origin: Origin, scope: LaunchScope): Promise<Agent> {
  const { idempotencyKey } = request;
  const create = () => launchOnce(request, origin, scope);
  // Repeats wait for the first call with their key: all would do the same work, and only one could be written.
  const key = `create ${origin.createdBy} ${idempotencyKey}`;
  return idempotencyKey ? withMutex(key, create) : create();
}

async function launchOnce(request: CreateAgentRequest, origin: Origin, scope: LaunchScope): Promise<Agent> {
  const { caller } = origin;
  const { known, plan } = await scope.store.read((tables) => knownOrPlanned(tables, scope, request, origin));
  if (known !== undefined) return known;
  const prepared = await prepare(scope, request, origin, plan);
  return change(scope, async (writing) => {
    // Another registry may have launched it meanwhile.
    const launched = await launchedBefore(writing.tables, request, origin);
    if (launched !== undefined) return launched;
    // Parent, workflow and hosts may have moved while the host was asked about the directory.
    const again = await planLaunch(writing.tables, scope.harnesses, request, caller);
    return launch(writing, scope, request, origin, again, prepared);
  });
}

/** The agent that an earlier call with this key launched; otherwise the plan of a launch. */
async function knownOrPlanned(
  tables: Tables,
  { harnesses }: LaunchScope,
  request: CreateAgentRequest,
  origin: Origin,
): Promise<{ readonly known: Agent; readonly plan?: never } | { readonly known?: never; readonly plan: LaunchPlan }> {
  const known = await launchedBefore(tables, request, origin);
  if (known !== undefined) return { known };
  checkRequest(request, origin.caller);
  return { plan: await planLaunch(tables, harnesses, request, origin.caller) };
}

async function launchedBefore(
  { agents }: Tables,
  { idempotencyKey }: CreateAgentRequest,
  { createdBy, caller }: Origin,
): Promise<Agent | undefined> {
  if (!idempotencyKey) return undefined;
  const agent = await agents.findByKey(createdBy, idempotencyKey);
  return agent && withEnd(await wholeAgent(agents, agent, caller), agent);
}

function creatorOf(caller: Caller): string {
  return caller.kind === 'person' ? 'person' : caller.agentId;
}

/** Where the agent starts. A child starts in its parent's directory, which is not checked again. */
async function placeFor(
  { lines }: LaunchScope,
  request: CreateAgentRequest,
  plan: LaunchPlan,
  known: FoundPlace | undefined,
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

/** What is read from hosts and files before the transaction that creates the agent. */
interface Prepared {
  readonly place: Place;
  /** The start of the briefing, by role. */
  readonly opening: string;
  /** The round that a reviewer is to review. */
  readonly round: FirstRound | undefined;
}

async function prepare(
  scope: LaunchScope,
  request: CreateAgentRequest,
  { caller, found }: Origin,
  plan: LaunchPlan,
): Promise<Prepared> {
  const place = await placeFor(scope, request, plan, found);
  const { parent, role } = plan;
  const isReviewing = parent !== undefined && role === 'AGENT_ROLE_REVIEWER';
  const round = isReviewing ? await firstRound(scope, parent, creatorOf(caller)) : undefined;
  return { place, opening: await scope.briefings.atLaunch(role), round };
}

async function launch(
  writing: Change,
  { ids, ceiling, launchQuota }: LaunchScope,
  request: CreateAgentRequest,
  { caller, createdBy, scheduleId, hidden, settle }: Origin,
  plan: LaunchPlan,
  prepared: Prepared,
): Promise<Agent> {
  const { tables, ring } = writing;
  const { agents, journal, rounds } = tables;
  const { place, round } = prepared;
  await refuseWithoutRoom(agents, { ceiling, ...launchQuota }, caller, writing.now);
  const id = ids.id('agt');
  const name = await freeName(agents, cleanName(request.title ?? '') || nameFromPrompt(request.prompt));
  const launched = launchOf(request, plan, prepared, { name, sessionId: ids.uuid() });
  const { provision, scripts } = launched;
  const named = (Object.keys(scripts) as AgentScript[]).filter((script) => scripts[script]);
  await journal.insert({
    id,
    parentAgentId: plan.parent?.id,
    spawnedByAgentId: caller.kind === 'agent' ? caller.agentId : undefined,
    createdBy,
    scheduleId,
    hidden,
    idempotencyKey: request.idempotencyKey || undefined,
    hostId: place.host.id,
    task: taskOf(request.prompt),
    workflowId: plan.workflow.id,
    role: plan.role,
    resultFor: request.ringOnResult && caller.kind === 'agent' ? caller.agentId : undefined,
    launch: launched,
    decision: begin(agentDefinition, { name, provision, scripts: named }),
  });
  if (plan.parent && round && 'round' in round) await rounds.read(plan.parent.id, id, round.round.id);
  await settle?.(writing, id);
  ring(place.host.id);
  const stored = await agents.find(id);
  if (stored === undefined) throw new Failure('INTERNAL', `Agent ${id} was written and is missing`);
  return shownAgent(caller, stored, launched.briefing);
}

function launchOf(
  request: CreateAgentRequest,
  { workflow, parent, flags, rights, ...plan }: LaunchPlan,
  { place, opening, round: first }: Prepared,
  { name, sessionId }: Pick<Launch, 'name' | 'sessionId'>,
): Launch {
  const harness = plan.harness ?? firstHarnessOf(place.host);
  const isForFlags = harness === harnessOfFlags(workflow, rights, place.host);
  const { baseBranch, context } = workflow;
  const { environment, scripts, copyFiles, preApprovedTools } = launchExtrasOf(workflow, rights);
  const round = parent && first ? roundText(parent, first) : '';
  const provision = parent === undefined && provisionOf(request.provisionEnabled ?? workflow.provisionEnabled, place);
  if (request.withChanges && !provision) throw withoutWorktree(place.path);
  return {
    name,
    harness,
    flags: leavesFlags(request) && !isForFlags ? '' : flags,
    ...(leavesFlags(request) && isForFlags && { workflowFlags: true as const }),
    cwd: place.path,
    briefing: briefingOf({ harness, context, opening, round, prompt: request.prompt }),
    provision,
    ...(baseBranch === '' ? {} : { baseBranch }),
    ...(request.withChanges && { withChanges: true as const }),
    copyFiles: [...copyFiles],
    scripts,
    preApprovedTools: [...preApprovedTools],
    ...(environment.length > 0 && { environment: [...environment] }),
    ...(rights && { launchedByAgent: true as const }),
    ...(place.repository && { repository: place.repository }),
    sessionId,
  };
}

/** Whether a launch uses the workflow's flags. */
function leavesFlags({ flags, clear }: CreateAgentRequest): boolean {
  return !flags && !clear?.includes('flags');
}

/** The harness that a workflow's flags are for: the one it names, or the default for a launch that names none. */
function harnessOfFlags(
  workflow: LaunchPlan['workflow'],
  rights: LaunchPlan['rights'],
  host: StoredHost,
): string | undefined {
  return workflow.harness || rights?.agent.launch.harness || host.harnesses.find(isCodingAgent);
}

function isCodingAgent(harness: string): boolean {
  return harness !== 'shell';
}

function provisionOf(wanted: boolean | null | undefined, { path, isRepository, host }: Place): boolean {
  if (!wanted || isRepository) return wanted ?? isRepository;
  throw new Failure(
    'NOT_A_REPOSITORY',
    `${path} on ${host.name} is not in a git repository, so no worktree can be made from it: set provisionEnabled to ` +
      'false, or name a directory that is in one',
    { field: 'provisionEnabled' },
  );
}

function withoutWorktree(path: string): Failure {
  return new Failure(
    'CONFLICTING_FIELDS',
    `withChanges is true, but the agent gets no worktree: it runs in ${path} itself, where the changes are, so leave it out`,
    { field: 'withChanges' },
  );
}

function firstHarnessOf({ name, harnesses }: StoredHost): string {
  const found = harnesses.find(isCodingAgent);
  if (found !== undefined) return found;
  throw new Failure(
    'HARNESS_UNAVAILABLE',
    `Host ${name} has no coding agent, and neither the request nor the workflow names a harness: install one there, ` +
      'such as claude or codex, or name one in harness; shell needs none',
    { field: 'harness' },
  );
}
