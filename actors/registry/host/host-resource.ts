import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { Clock } from '#contract/clock.ts';
import type { Check } from '#contract/host/check.ts';
import type { Host } from '#contract/host/host.ts';
import {
  faultsIn,
  type OwnVersion,
  reportedChecks,
  unheardCheck,
  unresponsiveCheck,
} from '#contract/host/host-checks.ts';
import { type HostAgentCounts, noAgents } from '#store/agent/host-agent-counts.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { HostTable } from '#store/host/host-table.ts';
import type { BeatBuffer } from './beat/beat-buffer.ts';
import type { Rivals } from './beat/rivals.ts';
import type { UnresponsiveHosts } from './beat/unresponsive-hosts.ts';
import { requireHost } from './host-name.ts';
import { isNewHost } from './new-hosts.ts';
import { isDraining, isOnline, isSilent } from './online.ts';
import { type HostDefaults, type HostLimits, limitsOf, patienceWith } from './settings/host-limits.ts';

/** What a `Host` message needs in addition to the host's row. `placed` counts the agents on each host. */
export interface HostDetails {
  readonly placed: ReadonlyMap<string, HostAgentCounts>;
  readonly hostDefaults: HostDefaults;
  readonly own: OwnVersion;
  readonly rivals: Pick<Rivals, 'of'>;
  readonly unresponsiveHosts: Pick<UnresponsiveHosts, 'since'>;
  readonly clock: Clock;
  readonly beatBuffer: Pick<BeatBuffer, 'freshen'>;
}

/** How many unknown terminals of a new host are shown. */
const maxFoundOnNewcomer = 20;

/** A host as a message of the contract. */
export function hostOf(stored: StoredHost, details: HostDetails): Host {
  const { placed, hostDefaults, rivals, beatBuffer } = details;
  const host = beatBuffer.freshen(stored);
  const isThere = isOnline(host);
  const rival = rivals.of(host.id);
  const newcomer = isNewHost(host);
  const foundTerminals = isThere ? host.foundTerminals.slice(0, newcomer ? maxFoundOnNewcomer : undefined) : [];
  return {
    id: host.id,
    name: host.name,
    state: isThere ? 'HOST_STATE_ONLINE' : isSilent(host) ? 'HOST_STATE_SILENT' : 'HOST_STATE_LOST',
    seenAt: timeOf(host.seenAt),
    stateSince: sinceOf(host),
    ...countsOf(placed.get(host.id)),
    harnesses: [...host.harnesses],
    draining: isDraining(host),
    ...(foundTerminals.length > 0 && { foundTerminals: [...foundTerminals] }),
    newcomer,
    ...settingsOf(host, hostDefaults),
    ...(rival && { rival: { machine: rival.machine, folder: rival.path, seenAt: timeOf(rival.at) } }),
    ...(host.condition && conditionOf(host.condition, newcomer)),
    ...faultsOf(newcomer ? [] : isThere ? checksOf(host, details) : [unheard(host)]),
  };
}

function faultsOf(checks: readonly Check[]): Pick<Host, 'faults'> {
  const faults = faultsIn(checks);
  return faults.length > 0 ? { faults } : {};
}

function unheard(host: StoredHost): Check {
  return unheardCheck(isSilent(host) ? 'silent' : 'lost', host.seenAt);
}

function checksOf(host: StoredHost, details: HostDetails): Check[] {
  const isMute = details.unresponsiveHosts.since(host.id) !== undefined;
  return [...(isMute ? [unresponsiveCheck()] : []), ...checkReported(host, details)];
}

/** Checks what a host last reported about its machine. Empty if it has reported nothing. */
export function checkReported(
  host: StoredHost,
  { own, clock, hostDefaults }: Pick<HostDetails, 'own' | 'clock' | 'hostDefaults'>,
): Check[] {
  const { harnesses, condition } = host;
  if (condition == null) return [];
  const { diskFreeBytes } = condition.load;
  const minDiskFreeBytes = limitsOf(host, hostDefaults).minDiskFreeMib * 1024 ** 2;
  return reportedChecks({ ...condition, harnesses, diskFreeBytes, minDiskFreeBytes }, own, clock.now());
}

function sinceOf({ stateSince, seenAt, ...host }: StoredHost): string | undefined {
  const since = isOnline(host) ? stateSince : seenAt;
  return since == null ? undefined : timeOf(since);
}

function countsOf({ agents, atWork, launches }: HostAgentCounts = noAgents) {
  return { agents, agentsAtWork: atWork, launches };
}

/** The settings of a host, with defaults for those that are not set. */
function settingsOf(host: StoredHost, defaults: HostDefaults) {
  const limits = Object.entries(limitsOf(host, defaults)).filter(([, limit]) => Number.isFinite(limit));
  return {
    labels: Object.entries(host.labels).map(([key, value]) => `${key}=${value}`),
    ...(Object.fromEntries(limits) as Partial<HostLimits>),
    patienceSeconds: Math.round(patienceWith(host, defaults) / 1_000),
  };
}

/**
 * The condition of a host. A new host's gateway is left out, because people could mistake its text for advice from
 * muster.
 */
function conditionOf(condition: NonNullable<StoredHost['condition']>, newcomer: boolean) {
  const { system, musterVersion, startedAt, measuredAt, load, gateway, recordedWith = {} } = condition;
  const { clockOffsetMs, protocol = 0 } = condition;
  const { loadAverage1m, cpuCount, ...bytes } = load;
  return {
    system,
    musterVersion,
    startedAt: timeOf(startedAt),
    protocol,
    ...(clockOffsetMs !== undefined && { clockOffsetMs: String(Math.round(clockOffsetMs)) }),
    recordedHarnesses: Object.entries(recordedWith).map(([harness, version]) => ({ harness, recordedWith: version })),
    ...(gateway && !newcomer && { gatewayUrl: gateway.url }),
    ...(gateway?.fault !== undefined && !newcomer && { gatewayFault: gateway.fault }),
    load: {
      measuredAt: timeOf(measuredAt),
      ...(loadAverage1m !== undefined && { loadAverage1m }),
      ...(cpuCount !== undefined && { cpuCount }),
      ...toDigits(bytes),
    },
  };
}

/** Counts as strings of digits, the contract's form of 64-bit integers. */
function toDigits<Name extends string>(
  counts: { readonly [name in Name]?: number | undefined },
): { [name in Name]?: string } {
  const known = Object.entries<number | undefined>(counts).filter(([, count]) => count !== undefined);
  return Object.fromEntries(known.map(([name, count]) => [name, String(count)])) as { [name in Name]?: string };
}

/**
 * The host that `nameOrId` names. @throws NOT_FOUND when there is none; FAILED_PRECONDITION when several have the name
 */
export async function findHost(hosts: HostTable, nameOrId: string): Promise<StoredHost> {
  const all = await hosts.all();
  // A forgotten host is found only by its id.
  const forgotten = all.some(({ id, name }) => id === nameOrId || name === nameOrId)
    ? undefined
    : await hosts.find(nameOrId);
  return forgotten ?? requireHost(all, nameOrId);
}
