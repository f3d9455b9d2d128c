import { type HostAgentCounts, noAgents } from '#store/agent/host-agent-counts.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';

/** All hosts, and the agents that each has, as one transaction sees them. */
export interface Fleet {
  readonly hosts: readonly StoredHost[];
  readonly placed: ReadonlyMap<string, HostAgentCounts>;
}

/** Reads the fleet. A transaction needs it once: counting takes milliseconds in a large fleet. */
export async function readFleet({ hosts, agents }: Pick<Tables, 'hosts' | 'agents'>): Promise<Fleet> {
  return { hosts: await hosts.all(), placed: await agents.countPlaced() };
}

/** Sorts hosts with fewer agents first. */
export function byAgents({ placed }: Pick<Fleet, 'placed'>): (a: StoredHost, b: StoredHost) => number {
  const agentsOn = ({ id }: StoredHost) => (placed.get(id) ?? noAgents).agents;
  return (a, b) => agentsOn(a) - agentsOn(b);
}
