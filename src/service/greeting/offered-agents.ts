import type { Connection } from '#cli/client/connection.ts';
import { call } from '#cli/client/http.ts';
import type { Host } from '#contract/host/host.ts';
import type { Workflow } from '#contract/workflow.ts';

/** The harness of the workflow `default`, and the CLIs of hosts besides bash. */
export interface DefaultAgent {
  readonly harness: string;
  readonly installed: readonly string[];
}

/** Asks the service for it; undefined if there is no such workflow. @throws Failure when the service does not answer */
export async function defaultAgent(connection: Connection): Promise<DefaultAgent | undefined> {
  const [{ workflows = [] }, { hosts = [] }] = (await Promise.all([
    call(connection, 'workflow.v1.WorkflowService/ListWorkflows', {}),
    call(connection, 'host.v1.HostService/ListHosts', {}),
  ])) as [{ workflows?: Workflow[] }, { hosts?: Host[] }];
  const harness = workflows.find(({ name }) => name === 'default')?.harness;
  if (harness === undefined) return undefined;
  const installed = new Set(hosts.flatMap(({ harnesses = [] }) => harnesses).filter((name) => name !== 'shell'));
  return { harness, installed: [...installed].sort() };
}

/** Suggests a CLI that was installed after the first start; undefined if agents already run one. */
export function offerText({ harness, installed }: DefaultAgent, muster: string): string | undefined {
  const [first] = installed;
  if (harness !== 'shell' || first === undefined) return undefined;
  return `Installed since: ${installed.join(', ')}. ${muster} workflow edit default --harness ${first} makes its agents run it.`;
}
