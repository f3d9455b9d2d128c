import { logTransition } from '#actors/registry/kernel/transition-log.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { begin, decide } from '#machines/decide.ts';
import { sweepLife, sweepPhase, sweepsPerHour } from '#machines/forge/sweep.ts';
import type { SweepContext, SweepEvent, SweepPace } from '#machines/forge/sweep-context.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import { parseRemote } from '#world/git/remote-url.ts';

/** How much of a forge's allowance sweeps may take. */
const share = 0.6;
/** How little of a forge's allowance may be left before its repositories wait for more. */
const leastLeft = 0.1;

/** Where a repository is on its forge, by an address that names it; undefined where no forge serves that. */
export function placeOnForge(address: string): { readonly host: string; readonly path: string } | undefined {
  return parseRemote(address);
}

/**
 * How repositories are told apart: host and path in small letters. Forges take large ones for the same, and one behind a proxy
 * may not know by which scheme it is reached.
 */
export function addressOf(url: string): string {
  const known = addresses.get(url);
  if (known !== undefined) return known;
  const remote = parseRemote(url);
  const address = (remote === undefined ? url : `${remote.host}/${remote.path}`).toLowerCase();
  if (addresses.size > mostAddresses) addresses.clear();
  addresses.set(url, address);
  return address;
}

/** Addresses that were read: thousands of agents name the same few. */
const addresses = new Map<string, string>();
const mostAddresses = 10_000;

/** A repository that agents have begun to name. */
export async function addRepository(
  { tables, ids, now }: Change,
  { url, connection, pace }: { readonly url: string; readonly connection: string; readonly pace: SweepPace },
): Promise<StoredRepository> {
  const decision = begin(sweepLife, { now, pace });
  const { snapshot } = decision;
  const repository: StoredRepository = {
    id: ids.id('rep'),
    address: addressOf(url),
    spelled: url,
    url: null,
    place: null,
    sameAs: null,
    connection,
    snapshot,
    ...columnsOf(snapshot),
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
  await tables.repositories.insert(repository);
  await logTransition(tables, { machine: 'sweep', subject: repository.id, decision });
  return repository;
}

/**
 * Tells a repository's machine of an event and writes down what comes with it; gives the repository as it is then, undefined
 * where the event makes no sense, and then nothing is written.
 */
export async function moveRepository(
  { tables }: Change,
  repository: StoredRepository,
  event: SweepEvent,
  noted: Partial<StoredRepository> = {},
): Promise<StoredRepository | undefined> {
  const decision = decide(sweepLife, repository.snapshot, event);
  if (decision === undefined) return undefined;
  const { snapshot, facts } = decision;
  const moved = { ...repository, ...noted, snapshot, ...columnsOf(snapshot) };
  await tables.repositories.save(moved);
  await logTransition(tables, { machine: 'sweep', subject: moved.id, before: repository.snapshot, event, decision });
  const about = { repositoryUrl: moved.url ?? moved.spelled };
  await tables.facts.append(
    facts.map(({ kind, detail }) => ({ kind, subjectId: moved.id, detail: { ...about, ...detail } })),
  );
  return moved;
}

/** What a repository's machine remembers. */
export function sweepContext({ snapshot }: Pick<StoredRepository, 'snapshot'>): SweepContext {
  return snapshot.context as SweepContext;
}

function columnsOf(snapshot: StoredRepository['snapshot']): Pick<StoredRepository, 'state' | 'dueAt'> {
  const { until } = snapshot.context as SweepContext;
  return { state: sweepPhase(snapshot), dueAt: until };
}

/** By how much the sweeps of a connection must be further apart, so that together they stay well below what the forge allows. */
export function stretchOf(repositories: readonly StoredRepository[], allowance: number): number {
  const asked = repositories
    .filter(({ dueAt }) => dueAt != null)
    .reduce((sum, one) => sum + Math.max(one.cost, 1) * sweepsPerHour(sweepContext(one).pace), 0);
  return Math.max(1, asked / (share * allowance));
}

/** Whether so little of a forge's allowance is left that it is kept for a person's own questions. */
export function isScarce({ remaining, limit }: { readonly remaining: number; readonly limit: number }): boolean {
  return remaining < leastLeft * limit;
}

/** Lets all repositories of a connection wait for a time. */
export async function pauseConnection(writing: Change, connection: string, until: number): Promise<void> {
  for (const repository of await writing.tables.repositories.ofConnection(connection)) {
    await moveRepository(writing, repository, { type: 'PAUSE', until });
  }
}
