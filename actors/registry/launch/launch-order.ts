import type { RoomScope } from '#actors/registry/placement/disk-floor.ts';
import { type Fleet, readFleet } from '#actors/registry/placement/fleet.ts';
import { placementOf } from '#actors/registry/placement/host-fit.ts';
import { HostRoom } from '#actors/registry/placement/host-room.ts';
import { type QueueEntry, QueueOrder, type Turn } from '#actors/registry/placement/queue-order.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredQueuedLaunch } from '#store/queue/queued-launch-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';

/** Hosts that cannot take a queued launch, and why, by the agent. */
export type UnfitReasons = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A launch that waits, and its turn. */
export interface QueuedTurn {
  readonly launch: StoredQueuedLaunch;
  readonly turn: Turn;
}

/** The queued launches with their turns, and the order in which further launches come after all of them. */
export interface LaunchOrder {
  readonly queued: readonly QueuedTurn[];
  readonly rest: QueueOrder;
}

/** What a launch into a workflow needs of its host. `launcher` is the agent that launches it. */
export function entryOf(
  request: CreateAgentRequest,
  workflow: StoredWorkflow,
  launcher: StoredAgent | undefined,
): QueueEntry {
  const hasWorktree = request.provisionEnabled ?? workflow.provisionEnabled ?? true;
  const harness = request.harness || workflow.harness || launcher?.launch.harness || undefined;
  return {
    wanted: { ...placementOf(request, workflow), harness, own: launcher?.host },
    hasSetup: hasWorktree && Boolean(workflow.scripts.setup),
  };
}

/** What the turns of launches are computed from, beside the queue. */
interface OrderGiven {
  readonly unfit?: UnfitReasons;
  /** Read if it is left out. */
  readonly fleet?: Fleet;
}

/** Reads the queue and what hosts have, and gives each launch its turn. A launch whose workflow is gone has none. */
export async function readLaunchOrder(
  tables: Tables,
  scope: RoomScope,
  { unfit = new Map(), fleet }: OrderGiven = {},
): Promise<LaunchOrder> {
  const waiting = await tables.queuedLaunches.waiting();
  const { hosts, placed } = fleet ?? (await readFleet(tables));
  const order = new QueueOrder(hosts, new HostRoom(placed, scope));
  const workflows = new Map<string, StoredWorkflow | undefined>();
  const queued: QueuedTurn[] = [];
  for (const launch of waiting) {
    const { request, caller } = launch;
    const { workflowId } = request;
    const launcher = caller.kind === 'agent' ? await tables.agents.find(caller.agentId) : undefined;
    if (!workflows.has(workflowId)) workflows.set(workflowId, await tables.workflows.find(workflowId));
    const workflow = workflows.get(workflowId);
    const own = unfit.get(launch.agent);
    const entry = workflow && { ...entryOf(request, workflow, launcher), ...(own && { unfit: own }) };
    queued.push({ launch, turn: entry === undefined ? { free: [], reason: '' } : order.next(entry) });
  }
  return { queued, rest: order };
}
