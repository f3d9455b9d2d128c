import type { Agent } from '#contract/agent/agent.ts';
import type { Grants, Isolation } from '#contract/host/isolation.ts';
import { limitNames, limitText } from '#contract/host/limits.ts';
import { printable } from '#contract/printable.ts';
import type { Workflow } from '#contract/workflow.ts';
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
    'may use': limitNames.flatMap((name) => (grants[name] ? [limitText(name, grants[name])] : [])).join(', '),
  };
}

/** The connections that an agent’s isolation refused, and how a person allows one; undefined if there are none. */
export function refusedText({ refusedConnections = [], workflowId = '' }: Agent): string | undefined {
  const last = refusedConnections.at(-1);
  if (last === undefined) return undefined;
  const host = last.replace(/:443$/, '');
  return `${refusedConnections.join(', ')}; to allow one: muster workflow allow ${workflowId} ${host}`;
}

/** How a new workflow that asked for nothing is isolated, and how to choose otherwise; undefined if it is not by default. */
export function defaultIsolationText({
  workflow = {},
  notIsolated,
}: {
  readonly workflow?: Workflow | undefined;
  readonly notIsolated?: string | undefined;
}): string | undefined {
  const { id = '', name = id, isolation } = workflow;
  if (notIsolated !== undefined) return `Its agents run without isolation. ${printable(notIsolated)}`;
  if (isolation !== 'ISOLATION_SANDBOX') return undefined;
  const edit = `muster workflow edit ${printable(name)} --isolation none`;
  return `Its agents run in a sandbox, and connect to their models and to what you allow (muster workflow allow); ${edit} ends that`;
}
