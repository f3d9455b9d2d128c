import { useQuery } from '@tanstack/react-query';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { placeOf } from './agent-status.ts';
import { useFleet } from './fleet.ts';
import { hosts } from './host-client.ts';

/** A host reports its load every 5 s, without a fact: how often it is refetched, in milliseconds. */
const lookEveryMs = 10_000;

/** The machines that agents are placed on, as they come and go. */
export function useHosts() {
  return useQuery({
    queryKey: ['hosts'],
    queryFn: ({ signal }) => hosts.listHosts({}, { signal }),
    refetchInterval: lookEveryMs,
  });
}

/** One of them, by its id. */
export function useHost(hostId: string) {
  return useHosts().data?.hosts.find(({ id }) => id === hostId);
}

/** The agents on each host, those that need a person first, by the host's id. */
export function useAgentsByHost(): ReadonlyMap<string, readonly Agent[]> {
  const { rows } = useFleet();
  const all = [...rows.values()].flatMap(({ agent }) => agent ?? []);
  all.sort((one, other) => placeOf(one) - placeOf(other) || one.name.localeCompare(other.name));
  return Map.groupBy(all, ({ hostId }) => hostId);
}
