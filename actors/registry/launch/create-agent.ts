import { cleanName, freeName, nameFromPrompt } from '#actors/registry/agent/agent-name.ts';
import { change } from '#actors/registry/agent/change.ts';
import { withEnd } from '#actors/registry/agent/with-end.ts';
import { minute } from '#actors/registry/budget/budget-resource.ts';
import { countLaunch } from '#actors/registry/budget/count-launch.ts';
import { setLimits } from '#actors/registry/budget/set-limits.ts';
import { isNewHost } from '#actors/registry/host/new-hosts.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { Place } from '#actors/registry/placement/placement.ts';
import { checkResultSchema } from '#actors/registry/result/result-schema.ts';
import { shownAgent, wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { taskOf } from '#contract/agent/briefing.ts';
import { Failure } from '#contract/failure.ts';
import { type CreateAgentRequest, createAgent } from '#contract/operations/create-agent.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import type { StoredBudget } from '#store/budget/budget-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import { checkRequest } from './check-request.ts';
import { readLaunchOrder } from './launch-order.ts';
import { type LaunchPlan, planLaunch } from './launch-plan.ts';
import type { LaunchScope } from './launch-scope.ts';
import { launchOf, launchWithoutPlace, stepsOf } from './launch-terms.ts';
import { leftBehindOf } from './left-behind.ts';
import { creatorOf, type PreparedLaunch, type PrepareOptions, prepare } from './prepare.ts';
import { refuseWithoutRoom } from './quota.ts';
import { refuseBelowFloor } from './refuse-below-floor.ts';

/** On whose behalf an agent is launched. */
interface Origin extends PrepareOptions {
  /** Who the idempotency key belongs to: `person`, an agent's id, or a schedule's id. */
  readonly createdBy: string;
  readonly scheduleId?: string;
  /** Whether listings for people leave the agent out. */
  readonly hidden?: boolean;
  /** Additional writes of the transaction that creates the agent. */
  settle?(writing: Change, agentId: string): Promise<void>;
}

/** Launches an agent. When the call returns, the agent is stored, in AGENT_STATE_SETTING_UP. */
export const createAgentHandler = handler(createAgent, async (request, caller, scope: LaunchScope) => {
  const agent = await launchAgent(request, { caller, createdBy: creatorOf(caller) }, scope);
  const left = caller.kind === 'person' ? await leftBehindOf(scope, agent.id ?? '') : undefined;
  return { agent, ...(left && { leftBehind: left }) };
});

/** Launches an agent, once for each idempotency key of its creator. A repeat returns the agent as it is then. */
export function launchAgent(request: CreateAgentRequest, origin: Origin, scope: LaunchScope): Promise<Agent> {
  const { idempotencyKey } = request;
  const create = () => launchOnce(request, origin, scope);
  // Repeats wait for the first call with their key: all would do the same work, and only one could commit.
  const key = `create ${origin.createdBy} ${idempotencyKey}`;
  return idempotencyKey ? withMutex(key, create) : create();
}

async function launchOnce(request: CreateAgentRequest, origin: Origin, scope: LaunchScope): Promise<Agent> {
  const { caller } = origin;
  const { known, plan } = await scope.store.read((tables) => knownOrPlanned(tables, scope, request, origin));
  if (known !== undefined) return known;
  if (request.resultSchema) await checkResultSchema(request.resultSchema);
  const prepared = await prepare(scope, request, origin, plan);
  const launched = await change(scope, async (writing) => {
    // Another registry may have launched it meanwhile.
    const before = await launchedBefore(writing.tables, request, origin);
    if (before !== undefined) return before;
    // Parent, workflow and hosts may have moved while the host was asked about the directory.
    const again = await planLaunch(writing.tables, scope.harnesses, request, caller);
    return mayBeOn(again, prepared.place) ? launch(writing, scope, request, origin, again, prepared) : undefined;
  });
  return launched ?? launchOnce(request, origin, scope);
}

/** Whether a plan still has the host that was asked about the directory: it may have been cordoned meanwhile. */
function mayBeOn({ hosts }: LaunchPlan, place: Place | undefined): boolean {
  return place === undefined || hosts.some(({ id }) => id === place.host.id);
}

/** The agent that an earlier call with this key launched; otherwise the plan of a launch. */
async function knownOrPlanned(
  tables: Tables,
  scope: LaunchScope,
  request: CreateAgentRequest,
  origin: Origin,
): Promise<{ readonly known: Agent; readonly plan?: never } | { readonly known?: never; readonly plan: LaunchPlan }> {
  const known = await launchedBefore(tables, request, origin);
  if (known !== undefined) return { known };
  checkRequest(request, origin.caller);
  const plan = await planLaunch(tables, scope.harnesses, request, origin.caller);
  return { plan: await withRoomFirst(tables, scope, plan) };
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

/** Sorts a plan's hosts: those with room first. */
async function withRoomFirst(tables: Tables, scope: LaunchScope, plan: LaunchPlan): Promise<LaunchPlan> {
  if (plan.parent !== undefined || plan.hosts.length < 2) return plan;
  const { rest } = await readLaunchOrder(tables, scope, { fleet: plan.fleet });
  const isFull = (host: StoredHost): number => Number(rest.whyFull(host, plan.entry.hasSetup) !== undefined);
  return { ...plan, hosts: plan.hosts.toSorted((a, b) => isFull(a) - isFull(b)) };
}

/** Returns why a launch must wait; undefined if it need not. A child never waits. */
async function whyQueued(
  tables: Tables,
  scope: LaunchScope,
  { parent, entry, fleet }: LaunchPlan,
  place: Place | undefined,
): Promise<string | undefined> {
  if (parent !== undefined) return undefined;
  const { rest } = await readLaunchOrder(tables, scope, { fleet });
  if (place !== undefined && rest.whyFull(place.host, entry.hasSetup) === undefined) return undefined;
  return rest.next(entry).reason || 'waits to be placed';
}

async function launch(
  writing: Change,
  scope: LaunchScope,
  request: CreateAgentRequest,
  { caller, createdBy, scheduleId, hidden, settle }: Origin,
  plan: LaunchPlan,
  prepared: PreparedLaunch,
): Promise<Agent> {
  const { ids, ceiling, launchQuota } = scope;
  const { tables, ring } = writing;
  const { agents, journal, rounds } = tables;
  const { place, round } = prepared;
  await refuseWithoutRoom(agents, { ceiling, ...launchQuota }, caller, writing.now);
  if (plan.parent !== undefined && place !== undefined) refuseBelowFloor(scope, place.host);
  const budgetScheduleId = await countLaunch(writing, caller, scheduleId, plan.workflow.id);
  const queued = await whyQueued(tables, scope, plan, place);
  const id = ids.id('agt');
  const name = await freeName(agents, cleanName(request.title ?? '') || nameFromPrompt(request.prompt));
  const named = { name, sessionId: ids.uuid() };
  const launched = place
    ? launchOf(request, plan, { ...prepared, place }, named)
    : launchWithoutPlace(request, plan, prepared, named);
  const hostId = place?.host.id ?? (await anyHost(tables));
  await journal.insert({
    id,
    parentAgentId: plan.parent?.id,
    spawnedByAgentId: caller.kind === 'agent' ? caller.agentId : undefined,
    createdBy,
    scheduleId,
    hidden,
    budgetScheduleId,
    idempotencyKey: request.idempotencyKey || undefined,
    hostId,
    task: taskOf(request.prompt),
    workflowId: plan.workflow.id,
    role: plan.role,
    resultFor: request.ringOnResult && caller.kind === 'agent' ? caller.agentId : undefined,
    launch: launched,
    decision: begin(agentDefinition, { name, ...(queued === undefined ? stepsOf(launched) : queuedAs(queued)) }),
  });
  if (queued !== undefined) await tables.queuedLaunches.insert({ agent: id, queuedAt: writing.now, request, caller });
  if (request.resultSchema) await tables.results.expect(id, request.resultSchema);
  const limits = budgetLimitsOf(request);
  if (limits !== undefined) await setLimits(writing, { id, name }, undefined, limits);
  if (plan.parent && round && 'round' in round) await rounds.read(plan.parent.id, id, round.round.id);
  await settle?.(writing, id);
  if (queued === undefined) ring(hostId);
  const stored = await agents.find(id);
  if (stored === undefined) throw new Failure('INTERNAL', `Agent ${id} was written and is missing`);
  return shownAgent(caller, stored, launched.briefing);
}

/** What a launch lets the agent use in a day; undefined if it says nothing. */
function budgetLimitsOf({ budgetTurns, budgetWorkMinutes }: CreateAgentRequest): StoredBudget['limits'] | undefined {
  if (!budgetTurns && !budgetWorkMinutes) return undefined;
  return {
    ...(budgetTurns && { turns: budgetTurns }),
    ...(budgetWorkMinutes && { work: budgetWorkMinutes * minute }),
  };
}

/** The input of an agent's machine while it waits. Its steps are known once it is placed. */
function queuedAs(queued: string) {
  return { provision: false, scripts: [], queued };
}

/** A provisional host for the row of a waiting agent. Nothing is sent to it. @throws UNAVAILABLE when there is none */
async function anyHost({ hosts }: Tables): Promise<string> {
  const [first] = (await hosts.all()).toSorted((a, b) => Number(isNewHost(a)) - Number(isNewHost(b)));
  if (first !== undefined) return first.id;
  throw new Failure('NO_HOST_AVAILABLE', 'No host has come online yet: start `muster host`, or try again');
}
