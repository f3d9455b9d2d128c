import type { Connection } from '#cli/client/connection.ts';
import { call } from '#cli/client/http.ts';
import type { Host } from '#contract/host/host.ts';
import { type Isolation, runtimeOf } from '#contract/host/isolation.ts';
import type { Workflow } from '#contract/workflow.ts';

/** The harness of the workflow `default`, and the CLIs of hosts besides bash. */
export interface DefaultAgent {
  readonly harness: string;
  readonly installed: readonly string[];
  /** Whether new workflows are isolated by default, and whether `default` is. */
  readonly isolation?: { readonly byDefault: boolean; readonly own: boolean };
}

/** Asks the service for it; undefined if there is no such workflow. @throws Failure when the service does not answer */
export async function defaultAgent(connection: Connection): Promise<DefaultAgent | undefined> {
  const [{ workflows = [], defaultIsolation }, { hosts = [] }] = (await Promise.all([
    call(connection, 'workflow.v1.WorkflowService/ListWorkflows', {}),
    call(connection, 'host.v1.HostService/ListHosts', {}),
  ])) as [{ workflows?: Workflow[]; defaultIsolation?: Isolation }, { hosts?: Host[] }];
  const { harness, isolation: own } = workflows.find(({ name }) => name === 'default') ?? {};
  if (harness === undefined) return undefined;
  const installed = new Set(hosts.flatMap(({ harnesses = [] }) => harnesses).filter((name) => name !== 'shell'));
  const isolation = { byDefault: runtimeOf(defaultIsolation) !== undefined, own: runtimeOf(own) !== undefined };
  return { harness, installed: [...installed].sort(), isolation };
}

/** How agents of new workflows are isolated, and how to choose otherwise; undefined if they are not by default. */
export function isolationText({ isolation }: DefaultAgent, muster: string): string | undefined {
  if (isolation?.byDefault !== true) return undefined;
  if (isolation.own)
    return `Agents of new workflows run in a sandbox: ${muster} workflow edit default --isolation none ends that for one, MUSTER_ISOLATION=none for all new ones.`;
  return `Agents of new workflows run in a sandbox where one works. Those of "default" run without: ${muster} doctor says whether a sandbox works here.`;
}

/** Suggests a CLI that was installed after the first start; undefined if agents already run one. */
export function offerText({ harness, installed }: DefaultAgent, muster: string): string | undefined {
  const [first] = installed;
  if (harness !== 'shell' || first === undefined) return undefined;
  return `Installed since: ${installed.join(', ')}. ${muster} workflow edit default --harness ${first} makes its agents run it.`;
}
