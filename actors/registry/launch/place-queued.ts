import { change, send } from '#actors/registry/agent/change.ts';
import type { Place } from '#actors/registry/placement/placement.ts';
import { Failure } from '#contract/failure.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { StoredQueuedLaunch } from '#store/queue/queued-launch-entity.ts';
import type { Tables } from '#store/tables.ts';
import { isWaiting } from './follow-queue.ts';
import { readLaunchOrder, type UnfitReasons } from './launch-order.ts';
import { planLaunch } from './launch-plan.ts';
import type { LaunchScope } from './launch-scope.ts';
import { launchOf, stepsOf } from './launch-terms.ts';
import { prepare } from './prepare.ts';

/** The hosts that a launch may be placed on, and those that cannot take which launches. */
interface HostCandidates {
  readonly free: readonly StoredHost[];
  readonly unfit: UnfitReasons;
}

/**
 * Places a queued launch on one of the hosts, as the request would be launched now: rights, workflow and directory are
 * checked again. Does nothing if it was placed, archived or deleted meanwhile, if another launch took the room, or
 * if the host may no longer take it.
 * @throws Failure as a launch; UNAVAILABLE when none of the hosts may take it
 */
export async function placeQueued(
  scope: LaunchScope,
  { agent: id, request, caller }: StoredQueuedLaunch,
  { free, unfit }: HostCandidates,
): Promise<void> {
  const plan = await scope.store.read((tables) => planLaunch(tables, scope.harnesses, request, caller));
  const hosts = plan.hosts.filter((host) => free.some((one) => one.id === host.id));
  if (hosts.length === 0) throw notAllowed(free);
  const { place, ...prepared } = await prepare(scope, request, { caller }, { ...plan, hosts });
  if (place === undefined) return;
  await change(scope, async (writing) => {
    const { agents, journal, queuedLaunches } = writing.tables;
    const agent = await agents.find(id);
    if (agent === undefined || !isWaiting(agent) || !(await hasRoom(writing.tables, scope, { id, unfit, place })))
      return;
    const again = await planLaunch(writing.tables, scope.harnesses, request, caller);
    if (!again.hosts.some((host) => host.id === place.host.id)) return;
    const { name, launch } = agent;
    const launched = launchOf(request, again, { ...prepared, place }, { name, sessionId: launch.sessionId });
    await journal.place(id, place.host.id, launched);
    await queuedLaunches.remove(id);
    const placed = await agents.find(id);
    if (placed === undefined || !(await send(writing, placed, { type: 'PLACED', ...stepsOf(launched) })))
      throw new Failure('INTERNAL', `Agent ${id} waits to be placed, and its machine does not accept its place`);
  });
}

/** Whether it is still a launch's turn on a host. */
async function hasRoom(
  tables: Tables,
  scope: LaunchScope,
  { id, unfit, place: { host } }: { readonly id: string; readonly unfit: UnfitReasons; readonly place: Place },
): Promise<boolean> {
  const { queued } = await readLaunchOrder(tables, scope, { unfit });
  const own = queued.find(({ launch }) => launch.agent === id);
  return own?.turn.free.some((one) => one.id === host.id) ?? false;
}

function notAllowed(hosts: readonly StoredHost[]): Failure {
  const names = hosts.map(({ name }) => name).join(' and ');
  return new Failure('NO_HOST_AVAILABLE', `the agent that launched it may not launch on ${names}`);
}
