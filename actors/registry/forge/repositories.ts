import { advanceInstance, beginInstance, type Kind } from '#actors/registry/kernel/instance.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { sweepDefinition, type sweepMachine, sweepPhase, sweepsPerHour } from '#machines/forge/sweep.ts';
import { readSweepContext, type SweepEvent, type SweepPace } from '#machines/forge/sweep-context.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import { parseRemote } from '#world/git/remote/remote-url.ts';

/** The share of a forge's quota that sweeps may use. */
const share = 0.6;
/** The share of a forge's quota below which its repositories wait. */
const minQuotaLeft = 0.1;

/**
 * The location of a repository on its forge, from an address that names it; undefined if no connected forge serves it.
 */
export function placeOnForge(address: string): { readonly host: string; readonly path: string } | undefined {
  return parseRemote(address);
}

/**
 * The key of a repository: host and path in lower case. Forges ignore case, and one behind a proxy may not know the
 * scheme of its own address.
 */
export function addressOf(url: string): string {
  const known = addresses.get(url);
  if (known !== undefined) return known;
  const remote = parseRemote(url);
  const address = (remote === undefined ? url : `${remote.host}/${remote.path}`).toLowerCase();
  if (addresses.size > maxAddresses) addresses.clear();
  addresses.set(url, address);
  return address;
}

/** Parsed addresses: thousands of agents use the same few. */
const addresses = new Map<string, string>();
const maxAddresses = 10_000;

const sweepKind: Kind<'sweep', typeof sweepMachine> = {
  machine: 'sweep',
  definition: sweepDefinition,
  columns: columnsOf,
  toFact: ({ kind, detail }, { id, url, spelled }) => ({
    kind,
    subjectId: id,
    detail: { repositoryUrl: url ?? spelled, ...detail },
  }),
};

/** A repository that an agent uses for the first time. */
export function addRepository(
  writing: Change,
  { url, connection, pace }: { readonly url: string; readonly connection: string; readonly pace: SweepPace },
): Promise<StoredRepository> {
  const { ids, now } = writing;
  const row = {
    id: ids.id('rep'),
    address: addressOf(url),
    spelled: url,
    url: null,
    place: null,
    sameAs: null,
    connection,
    sweptAt: null,
    wholeAt: null,
    mark: null,
    newestAt: null,
    branches: [],
    cost: 0,
    allowance: null,
    parent: null,
    warning: null,
    createdAt: now,
  };
  return beginInstance(writing, sweepKind, { now, pace }, (snapshot) => ({ ...row, ...columnsOf(snapshot), snapshot }));
}

/**
 * Sends an event to a repository's machine and saves the result; returns the updated repository, or undefined, without
 * a write, if the state does not accept the event.
 */
export function advanceRepository(
  writing: Change,
  repository: StoredRepository,
  event: SweepEvent,
  noted: Partial<Omit<StoredRepository, 'id' | 'snapshot' | 'version'>> = {},
): Promise<StoredRepository | undefined> {
  return advanceInstance(writing, sweepKind, repository, event, noted);
}

function columnsOf(snapshot: StoredRepository['snapshot']): Pick<StoredRepository, 'state' | 'dueAt'> {
  const { until } = readSweepContext(snapshot);
  return { state: sweepPhase(snapshot), dueAt: until };
}

/**
 * The factor by which sweeps of a connection are spread out, so that together they stay well below the forge's quota.
 */
export function intervalFactor(repositories: readonly StoredRepository[], allowance: number): number {
  const asked = repositories
    .filter(({ dueAt }) => dueAt != null)
    .reduce((sum, one) => sum + Math.max(one.cost, 1) * sweepsPerHour(readSweepContext(one.snapshot).pace), 0);
  return Math.max(1, asked / (share * allowance));
}

/** Whether so little of a forge's quota is left that it is reserved for people's own requests. */
export function isScarce({ remaining, limit }: { readonly remaining: number; readonly limit: number }): boolean {
  return remaining < minQuotaLeft * limit;
}

/** Pauses all repositories of a connection for a time. */
export async function pauseConnection(writing: Change, connection: string, until: number): Promise<void> {
  for (const repository of await writing.tables.repositories.ofConnection(connection)) {
    await advanceRepository(writing, repository, { type: 'PAUSE', until });
  }
}
