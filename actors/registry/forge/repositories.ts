import { advanceInstance, beginInstance, type Kind } from '#actors/registry/kernel/instance.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { sweepDefinition, type sweepMachine, sweepPhase, sweepsPerHour } from '#machines/forge/sweep.ts';
import { readSweepContext, type SweepEvent, type SweepPace } from '#machines/forge/sweep-context.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import { parseRemote } from '#world/git/remote/remote-url.ts';

/** How much of a forge's allowance sweeps may take. */
const share = 0.6;
/** How little of a forge's allowance may be left before its repositories wait for more. */
const minQuotaLeft = 0.1;

/** Where a repository is on its forge, by an address that names it; undefined if no forge serves that. */
export function placeOnForge(address: string): { readonly host: string; readonly path: string } | undefined {
  return parseRemote(address);
}

/**
 * How repositories are distinguished: host and path in lower case. Forges take large ones for the same, and one behind
 * a proxy may not know by which scheme it is reached.
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

/** Addresses that were read: thousands of agents name the same few. */
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

/** A repository that agents have begun to name. */
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
 * Sends an event to a repository's machine and saves the result; returns the updated repository, undefined
 * if the event makes no sense, and then nothing is written.
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
 * By how much the sweeps of a connection must be further apart, so that together they stay well below what the forge
 * allows.
 */
export function intervalFactor(repositories: readonly StoredRepository[], allowance: number): number {
  const asked = repositories
    .filter(({ dueAt }) => dueAt != null)
    .reduce((sum, one) => sum + Math.max(one.cost, 1) * sweepsPerHour(readSweepContext(one.snapshot).pace), 0);
  return Math.max(1, asked / (share * allowance));
}

/** Whether so little of a forge's allowance is left that it is kept for a person's own questions. */
export function isScarce({ remaining, limit }: { readonly remaining: number; readonly limit: number }): boolean {
  return remaining < minQuotaLeft * limit;
}

/** Lets all repositories of a connection wait for a time. */
export async function pauseConnection(writing: Change, connection: string, until: number): Promise<void> {
  for (const repository of await writing.tables.repositories.ofConnection(connection)) {
    await advanceRepository(writing, repository, { type: 'PAUSE', until });
  }
}
