import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { HostScope } from './host-scope.ts';
import { isUnadmitted } from './new-hosts.ts';
import { isOnline } from './online.ts';

/** How long a host that was never admitted is kept after its last beat, in milliseconds. */
export const unadmittedKeptMs = 86_400_000;

/**
 * Removes hosts, with their keys, that were never admitted and were silent for a day; returns how many. A host that an
 * agent was ever placed on stays. So does one that people have named, because another host that then joined with its id
 * or name would be mistaken for it.
 */
export async function dropUnadmitted(
  { beatBuffer, newHosts, clock }: Pick<HostScope, 'beatBuffer' | 'newHosts' | 'clock'>,
  tables: Tables,
  limit: number,
): Promise<number> {
  const silent = await tables.hosts.unusedSince(clock.now() - unadmittedKeptMs);
  const strange = silent.filter((host) => isUnadmitted(host) && !isOnline(host));
  if (strange.length === 0) return 0;
  const isNamed = await namedByPeople(tables);
  const dropped = strange.filter((host) => !isNamed(host)).slice(0, limit);
  const ids = dropped.map(({ id }) => id);
  for (const ownerId of ids) await tables.deadlines.clear({ owner: 'host', ownerId });
  await tables.hosts.remove(ids);
  for (const memory of [beatBuffer, newHosts]) memory.drop(ids);
  return ids.length;
}

/** Whether people have named a host: in a workflow, in a grant, or by confirming a harness on it. */
async function namedByPeople({ workflows }: Tables): Promise<(host: StoredHost) => boolean> {
  const named = await workflows.hostsNamed();
  return ({ id, name, confirmedLaunches }) =>
    named.has(id) || named.has(name) || Object.keys(confirmedLaunches).length > 0;
}
