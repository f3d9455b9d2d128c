import { useQuery } from '@tanstack/react-query';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { type Host, HostState } from '#page/client/host/v1/host_pb.js';
import { placeOf } from './agent-status.ts';
import { useFleet } from './fleet.ts';
import { hosts } from './host-client.ts';

/** How often hosts are refetched, in milliseconds: they report their load every 5 s, without a fact. */
const refetchEveryMs = 10_000;

/** The hosts, updated live. */
export function useHosts() {
  return useQuery({
    queryKey: ['hosts'],
    queryFn: ({ signal }) => hosts.listHosts({}, { signal }),
    refetchInterval: refetchEveryMs,
  });
}

/** A host by its id. */
export function useHost(hostId: string) {
  return useHosts().data?.hosts.find(({ id }) => id === hostId);
}

/** The name of a removed host; undefined for any other. */
export function useRemovedHostName(hostId: string): string | undefined {
  return useHosts().data?.removed.find(({ id }) => id === hostId)?.name;
}

/** Whether the host of an agent is lost or removed. */
export function isOnLostHost({ hostRemovedAt }: Agent, host: Host | undefined): boolean {
  return hostRemovedAt !== '' || host?.state === HostState.LOST;
}

/** The agents on each host, by the host's id. Those that need a person come first. */
export function useAgentsByHost(): ReadonlyMap<string, readonly Agent[]> {
  const { rows } = useFleet();
  const all = [...rows.values()].flatMap(({ agent }) => agent ?? []);
  all.sort((one, other) => placeOf(one) - placeOf(other) || one.name.localeCompare(other.name));
  return Map.groupBy(all, ({ hostId }) => hostId);
}

/** The agents whose launch waits for room on a host, the one that waits longest first. */
export function useQueuedAgents(): readonly Agent[] {
  const { rows } = useFleet();
  const queued = [...rows.values()].flatMap(({ agent }) => (agent?.queued ? [agent] : []));
  return queued.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
}
