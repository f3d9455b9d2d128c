import { matchingHosts } from '#actors/registry/host/host-name.ts';
import { isNewHost } from '#actors/registry/host/new-hosts.ts';
import { isDraining, isOnline } from '#actors/registry/host/online.ts';
import { keyAndValue, nameKey } from '#contract/host/host-setting.ts';
import { printable } from '#contract/printable.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';

/** What a launch requires of its host, as far as host rows can show it. */
export interface HostRequirements {
  /** The host, by id or name; undefined for any. */
  readonly named: string | undefined;
  /** Conditions that must all hold, each as `key=value`. */
  readonly selector: readonly string[];
  /** Undefined for any coding agent. */
  readonly harness: string | undefined;
  /** The id of the host that the launching agent runs on, which need not be admitted. */
  readonly own?: string | undefined;
}

/** The hosts that may take an agent, and why the others cannot. */
export interface CandidateHosts {
  /** Hosts that are online, accept new agents, and match the requirements. They may still lack the directory. */
  readonly candidates: readonly StoredHost[];
  readonly lacks: readonly string[];
}

/** How many hosts a wait reason names. */
const maxReported = 5;

/** The place that a launch names, or else its workflow's. */
export function placementOf(
  { host, hostSelector = [] }: { readonly host?: string | undefined; readonly hostSelector?: string[] | undefined },
  workflow: Pick<StoredWorkflow, 'host' | 'hostSelector'>,
): Pick<HostRequirements, 'named' | 'selector'> {
  if (host || hostSelector.length > 0) return { named: host || undefined, selector: hostSelector };
  return { named: workflow.host || undefined, selector: workflow.hostSelector };
}

/** Which of all hosts may take an agent, judged by their rows alone. */
export function candidatesAmong(all: readonly StoredHost[], wanted: HostRequirements): CandidateHosts {
  const { named, selector } = wanted;
  // New hosts last: a wait reason names only the first hosts, and a new host may have chosen any name.
  const ordered = all.toSorted((a, b) => Number(isNewHost(a)) - Number(isNewHost(b)));
  const meant = named === undefined ? ordered : matchingHosts(ordered, named);
  const selected = meant.filter((host) => isSelected(host, selector));
  const checked = selected.map((host) => ({ host, lack: whyUnfit(host, wanted) }));
  return {
    candidates: checked.flatMap(({ host, lack }) => (lack === undefined ? [host] : [])),
    lacks: selected.length === 0 ? [whyNone(meant, wanted)] : checked.flatMap(({ lack }) => lack ?? []),
  };
}

/** Whether a host has all labels of a selector. */
export function isSelected({ id, name, labels }: StoredHost, selector: readonly string[]): boolean {
  return selector.every((condition) => {
    const [key, value] = keyAndValue(condition);
    return key === nameKey ? value === name || value === id : labels[key] === value;
  });
}

function whyNone(meant: readonly StoredHost[], { named, selector }: HostRequirements): string {
  if (meant.length > 0) return `no host has ${selector.map(printable).join(' and ')}`;
  return named === undefined ? 'there is none yet' : `there is no host ${quoted(named)}`;
}

/** The wait reason of a launch or firing without a host. */
export function waitsFor(lacks: readonly string[]): string {
  return `waits for a host that can take it: ${listed(lacks)}`;
}

/** Several reasons as one text. */
export function listed(lacks: readonly string[]): string {
  const named = lacks.slice(0, maxReported);
  const more = lacks.length > named.length ? [`${lacks.length - named.length} more cannot take it either`] : [];
  return [...named, ...more].join('; ');
}

function whyUnfit(host: StoredHost, { harness, named, own, selector }: HostRequirements): string | undefined {
  const { id, name, harnesses, seenAt } = host;
  if (!isOnline(host)) return `${name} has been silent since ${new Date(seenAt).toISOString()}`;
  if (isDraining(host)) return `${name} is cordoned`;
  const isNamed =
    named !== undefined || own === id || selector.some((condition) => keyAndValue(condition)[0] === nameKey);
  if (!isNamed && isNewHost(host)) return `${name} is new, and neither named nor admitted`;
  const isThere = harness === undefined ? harnesses.some((one) => one !== 'shell') : harnesses.includes(harness);
  if (isThere) return undefined;
  return `${name} has ${harness === undefined ? 'no coding agent' : `no ${harness}`}`;
}
