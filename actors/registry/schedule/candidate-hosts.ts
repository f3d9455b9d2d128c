import { matchingHosts } from '#actors/registry/host/host-name.ts';
import { isNewcomer } from '#actors/registry/host/newcomers.ts';
import { isDraining, isOnline } from '#actors/registry/host/online.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/store.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';

/** The hosts that may take an agent of a workflow. */
export interface CandidateHosts {
  /** Hosts that are online, accept new agents and have the harness. They may still lack the directory. */
  readonly candidates: readonly StoredHost[];
  /** Why each of the other hosts cannot take it. */
  readonly lacks: readonly string[];
}

/** How many hosts a wait reason names. */
const maxReported = 5;

/**
 * The hosts that may take an agent of a workflow, judged by their rows alone. Considers the host that the workflow
 * names, or all.
 */
export async function findCandidateHosts(
  { hosts }: Pick<Tables, 'hosts'>,
  workflow: StoredWorkflow,
): Promise<CandidateHosts> {
  const all = await hosts.all();
  // New hosts last: a wait reason names only the first hosts, and a new host may have chosen any name.
  const ordered = all.toSorted((a, b) => Number(isNewcomer(a)) - Number(isNewcomer(b)));
  const eligible = workflow.host === '' ? ordered : matchingHosts(ordered, workflow.host);
  const checked = eligible.map((host) => ({ host, lack: whyNot(host, workflow) }));
  const none = workflow.host === '' ? 'there is none yet' : `there is no host ${quoted(workflow.host)}`;
  return {
    candidates: checked.flatMap(({ host, lack }) => (lack === undefined ? [host] : [])),
    lacks: eligible.length === 0 ? [none] : checked.flatMap(({ lack }) => lack ?? []),
  };
}

/** The text of a run that waits for a host. */
export function waitsFor(lacks: readonly string[]): string {
  const named = lacks.slice(0, maxReported);
  const more = lacks.length > named.length ? [`${lacks.length - named.length} more cannot take it either`] : [];
  return `waits for a host that can take it: ${[...named, ...more].join('; ')}`;
}

function whyNot(host: StoredHost, { harness, host: named }: StoredWorkflow): string | undefined {
  const { name, harnesses, seenAt } = host;
  if (!isOnline(host)) return `${name} has been silent since ${new Date(seenAt).toISOString()}`;
  if (isDraining(host)) return `${name} is cordoned`;
  if (named === '' && isNewcomer(host)) return `${name} is new, and nobody has named or admitted it`;
  const isThere = harness === '' ? harnesses.some((one) => one !== 'shell') : harnesses.includes(harness);
  if (isThere) return undefined;
  return `${name} has ${harness === '' ? 'no coding agent' : `no ${harness}`}`;
}
