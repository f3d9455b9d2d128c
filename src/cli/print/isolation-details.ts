import type { Agent } from '#contract/agent/agent.ts';
import type { Grants, Isolation } from '#contract/host/isolation.ts';
import { shortName } from './words.ts';

/** What separates the agents of a workflow from their host, and what they may reach. */
export function isolationDetails(isolation?: Isolation, grants: Grants = {}): Record<string, string | undefined> {
  const { network, image, hosts = [], loopbackPorts = [], readable = [], writable = [] } = grants;
  return {
    isolation: isolation && shortName(isolation),
    image,
    network: network && shortName(network),
    'may connect to': [...hosts, ...loopbackPorts.map((port) => `127.0.0.1:${port}`)].join(', '),
    'may read': readable.join(', '),
    'may change': writable.join(', '),
  };
}

/** The connections that an agent’s isolation refused, and how a person allows one; undefined if there are none. */
export function refusedText({ refusedConnections = [], workflowId = '' }: Agent): string | undefined {
  const last = refusedConnections.at(-1);
  if (last === undefined) return undefined;
  const host = last.replace(/:443$/, '');
  return `${refusedConnections.join(', ')}; to allow one: muster workflow allow ${workflowId} ${host}`;
}
