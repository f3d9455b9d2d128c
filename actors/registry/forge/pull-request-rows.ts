import type { Ids } from '#contract/clock.ts';
import type { ForgeReading } from '#contract/forge/forge.ts';
import { keepKnownMerge, standingOf } from '#machines/forge/pull-request.ts';
import type { StoredPullRequest } from '#store/forge/pull-request-entity.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import { addressOf } from './repositories.ts';

/** The result of a sweep for the rows of a repository. */
export interface RowChanges {
  readonly inserted: readonly StoredPullRequest[];
  /** Rows that changed, as they are now. */
  readonly saved: readonly StoredPullRequest[];
  /** The rows whose change people see, each with its previous version. */
  readonly changed: readonly { readonly before: StoredPullRequest | undefined; readonly after: StoredPullRequest }[];
}

/** Columns that come from the forge or are derived from it: people see a change of these. */
const shown = [
  'url',
  'repositoryUrl',
  'headRepositoryUrl',
  'number',
  'title',
  'headBranch',
  'headSha',
  'baseBranch',
  'baseSha',
  'draft',
  'forgeState',
  'state',
  'reviewDecision',
  'checks',
  'mergeability',
  'inMergeQueue',
  'openedAt',
  'changedAt',
  'mergedAt',
  'closedAt',
] as const satisfies readonly (keyof StoredPullRequest)[];
/** The other columns. */
const kept = ['target', 'own', 'merge', 'failingChecks'] as const satisfies readonly (keyof StoredPullRequest)[];

/** Applies readings to the existing rows; `known` holds those rows by the forge's id. */
export function changesOf(
  readings: Iterable<ForgeReading>,
  known: ReadonlyMap<string, StoredPullRequest>,
  repository: Pick<StoredRepository, 'id' | 'address' | 'place' | 'sweptAt'>,
  { now, ids }: { readonly now: number; readonly ids: Ids },
): RowChanges {
  const [inserted, saved, changed]: [StoredPullRequest[], StoredPullRequest[], RowChanges['changed'][number][]] = [
    [],
    [],
    [],
  ];
  // Oldest first, so that ids are in the order in which the forge saw them change.
  const ordered = [...readings].toSorted((one, other) => one.updatedAt.localeCompare(other.updatedAt));
  for (const reading of ordered) {
    const before = known.get(reading.providerId);
    const after = rowOf(reading, before, repository, now);
    if (before === undefined) {
      const row = { ...after, id: ids.id('pul'), told: {}, updatedAt: now };
      inserted.push(row);
      changed.push({ before, after: row });
      continue;
    }
    const isSeen = differs(before, after, shown);
    const row = { ...after, id: before.id, told: before.told, updatedAt: isSeen ? now : before.updatedAt };
    if (isSeen) changed.push({ before, after: row });
    if (isSeen || differs(before, after, kept)) saved.push(row);
  }
  return { inserted, saved, changed };
}

type Row = Omit<StoredPullRequest, 'id' | 'told' | 'updatedAt'>;

function rowOf(
  reading: ForgeReading,
  before: StoredPullRequest | undefined,
  repository: Pick<StoredRepository, 'id' | 'address' | 'place' | 'sweptAt'>,
  now: number,
): Row {
  const { state: forgeState, createdAt, updatedAt, mergedAt, closedAt, ...read } = detailed(reading, before);
  const merge = mergeOf(read, before, repository.sweptAt, now);
  const { mergeability } = merge;
  const { draft, checks, reviewDecision, inMergeQueue } = read;
  const head = read.headRepositoryUrl === '' ? '' : addressOf(read.headRepositoryUrl);
  const [mergedTime, closedTime] = [timeOf(mergedAt), timeOf(closedAt ?? mergedAt)];
  return {
    repository: repository.id,
    forge: read.forge,
    providerId: read.providerId,
    url: read.url,
    repositoryUrl: read.repositoryUrl,
    target: addressOf(read.repositoryUrl),
    headRepositoryUrl: read.headRepositoryUrl,
    // If the forge no longer has the source repository, keep the recorded owner of the branch.
    own: head === '' ? (before?.own ?? false) : head === repository.address || head === repository.place,
    number: read.number,
    title: read.title,
    headBranch: read.headBranch,
    headSha: read.headSha,
    baseBranch: read.baseBranch,
    baseSha: read.baseSha,
    draft,
    forgeState,
    state: standingOf({ state: forgeState, draft, checks, reviewDecision, inMergeQueue, mergeability }),
    reviewDecision,
    checks,
    mergeability,
    merge,
    inMergeQueue,
    failingChecks: read.failingChecks,
    openedAt: Date.parse(createdAt),
    changedAt: Date.parse(updatedAt),
    mergedAt: mergedTime,
    closedAt: forgeState === 'OPEN' ? null : closedTime,
  };
}

/** A reading, completed from the known row where it lacks reviews, checks and mergeability. */
function detailed(reading: ForgeReading, before: StoredPullRequest | undefined): ForgeReading {
  if (reading.reviewDecision !== 'REVIEW_DECISION_UNSPECIFIED') return reading;
  const { reviewDecision, checks, mergeability, failingChecks, inMergeQueue } = before ?? reading;
  // Checks belong to a head: those of a new head are not known yet.
  const isSameHead = before?.headSha === reading.headSha;
  return {
    ...reading,
    reviewDecision,
    mergeability: isSameHead ? mergeability : 'MERGEABILITY_UNKNOWN',
    checks: isSameHead ? checks : 'CHECKS_UNSPECIFIED',
    failingChecks: isSameHead ? failingChecks : [],
    inMergeQueue,
  };
}

function mergeOf(
  reading: Pick<ForgeReading, 'headSha' | 'baseSha' | 'mergeability' | 'mergeIsFinal'>,
  before: StoredPullRequest | undefined,
  sweptAt: number | null | undefined,
  now: number,
): StoredPullRequest['merge'] {
  const { headSha, baseSha, mergeability, mergeIsFinal = false } = reading;
  const unsettled = mergeability === 'MERGEABILITY_UNKNOWN' && !mergeIsFinal;
  const known = before?.merge;
  // If the forge reports the same, the row is not written again: the last sweep's time applies.
  const at = known === undefined || known.unsettled ? known?.at : Math.max(known.at, sweptAt ?? 0);
  const fresh = { headSha, baseSha, mergeability, at: now };
  const settled = unsettled ? keepKnownMerge(known && { ...known, at: at ?? now }, fresh) : fresh;
  const isSame =
    known !== undefined &&
    !unsettled &&
    !known.unsettled &&
    known.headSha === headSha &&
    known.baseSha === baseSha &&
    known.mergeability === mergeability;
  return isSame ? known : { ...settled, unsettled };
}

function timeOf(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Date.parse(text);
}

function differs(before: Row, after: Row, columns: readonly (keyof Row)[]): boolean {
  return columns.some((column) => JSON.stringify(before[column] ?? null) !== JSON.stringify(after[column] ?? null));
}
