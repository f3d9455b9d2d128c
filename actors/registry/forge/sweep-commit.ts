import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import { readSweepContext, type SweepEvent } from '#machines/forge/sweep-context.ts';
import type { AgentBranch } from '#store/agent/agent-table.ts';
import type { StoredPullRequest } from '#store/forge/pull-request-entity.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import { ForgeError } from '#world/forge/forge-error.ts';
import { confirmedBranches, readConfirmedRepositories } from './confirmed-repositories.ts';
import { mailProblems } from './mail-problems.ts';
import { changesOf, type RowChanges } from './pull-request-rows.ts';
import { addressOf, advanceRepository, intervalFactor, isScarce, pauseConnection } from './repositories.ts';
import type { SweepResult } from './sweep-reading.ts';
import { branchesOf, isNameOf } from './used-repositories.ts';

/** How long a connection pauses after a rate limit if its forge gives no time, in milliseconds. */
const defaultPauseMs = 60_000;

/** A sweep of a repository, and its lease. */
export interface SweepRun {
  readonly repositoryId: string;
  readonly lease: string;
  /** Whether only single pull requests were read again. */
  readonly isReread: boolean;
  /** A random number from 0 to 1. */
  readonly spread: number;
}

/**
 * Saves a sweep's result: rows, their facts and mail, and when the next sweep is due. Nothing is written if another
 * sweeper has leased the repository meanwhile. Returns whether anything was written.
 */
export async function commitSweep(writing: Change, swept: SweepRun, found: SweepResult): Promise<boolean> {
  const { tables, now } = writing;
  const before = await tables.repositories.find(swept.repositoryId);
  if (before === undefined || readSweepContext(before.snapshot).lease !== swept.lease) return false;
  // Read again rather than taken from the sweep's request: if an agent switched to a branch during the sweep, no commit
  // would touch its row, which would say UNREAD although the repository has been read.
  const named = await confirmedBranches(tables);
  const notes = noted(before, swept, found, now);
  const repository = { ...before, ...notes };
  if (await mergeInto(writing, repository, swept, found, notes)) return true;
  const known = await tables.pullRequests.byProvider(repository.id, [...found.readings.keys(), ...found.gone]);
  const changes = changesOf(found.readings.values(), known, repository, writing);
  const gone = found.gone.flatMap((id) => known.get(id) ?? []);
  await tables.pullRequests.insert(changes.inserted);
  for (const row of changes.saved) await tables.pullRequests.save(row);
  await tables.pullRequests.forget(gone.map(({ id }) => id));
  const rows = await tables.pullRequests.ofBranches([repository.id], branchesOf(named, repository));
  const isUnsettled = rows.some(isAwaited);
  const ended = await endSweep(writing, repository, swept, found, { ...notes, isUnsettled });
  await publishChanges(writing, { before, repository: ended, named, changes, gone, rows });
  return true;
}

/** Whether the forge is still computing whether a pull request is mergeable. Bitbucket never reports that. */
function isAwaited({ forge, forgeState, merge }: StoredPullRequest): boolean {
  return forge !== 'bitbucket' && forgeState === 'OPEN' && merge.unsettled;
}

type RepositoryColumns = Partial<Omit<StoredRepository, 'id' | 'snapshot' | 'version'>>;

/** The columns of the repository's row that record a sweep. */
function noted(before: StoredRepository, { isReread }: SweepRun, found: SweepResult, now: number): RepositoryColumns {
  const url = found.repositoryUrl ?? before.url;
  const isEnded = found.error === undefined;
  const newest = Math.max(0, ...[...found.readings.values()].map(({ updatedAt }) => Date.parse(updatedAt)));
  const always = {
    url,
    place: url == null ? before.place : addressOf(url),
    parent: found.parent ?? before.parent,
    warning: found.repositoryUrl === undefined ? before.warning : (found.warning ?? null),
    allowance: found.quota?.limit ?? before.allowance,
    branches: isReread ? before.branches : found.branchesRead,
  };
  if (!isEnded || isReread) return always;
  return {
    ...always,
    sweptAt: now,
    wholeAt: found.wholeAt ?? before.wholeAt,
    mark: found.mark ?? before.mark,
    newestAt: Math.max(before.newestAt ?? 0, newest) || null,
    // The first sweep and full sweeps are rare: they do not predict the cost of the next one.
    cost: found.wholeAt === undefined ? found.cost : Math.max(1, before.cost),
  };
}

/**
 * If the forge has renamed the repository to the name of another row, that row is swept from now on, and this one
 * becomes another name of it. Returns whether that happened.
 */
async function mergeInto(
  writing: Change,
  repository: StoredRepository,
  { lease }: SweepRun,
  { error }: SweepResult,
  notes: RepositoryColumns,
): Promise<boolean> {
  const { repositories, pullRequests } = writing.tables;
  const { id, place, address } = repository;
  if (error !== undefined || place == null || place === address) return false;
  const other = (await repositories.named([place])).get(place);
  if (other === undefined || other.id === id || other.sameAs != null) return false;
  await pullRequests.forgetRepository(id);
  await writing.tables.facts.append([{ kind: 'repository.changed', subjectId: id, detail: { sameAs: other.id } }]);
  const released = await advanceRepository(
    writing,
    repository,
    { type: 'RELEASE', lease, now: writing.now },
    { ...notes, sameAs: other.id },
  );
  if (released !== undefined) await advanceRepository(writing, released, { type: 'UNWANTED' });
  return true;
}

/** Sends the sweep's result to the repository's machine, and pauses the connection if the forge requires it. */
async function endSweep(
  writing: Change,
  repository: StoredRepository,
  { lease, spread }: SweepRun,
  { error, quota }: SweepResult,
  { isUnsettled: unsettled, ...notes }: RepositoryColumns & { readonly isUnsettled: boolean },
): Promise<StoredRepository> {
  const { now, tables } = writing;
  const { connection } = repository;
  const isLimited = error instanceof ForgeError && error.kind === 'rate_limited';
  const asked = error instanceof ForgeError ? error.retryAt : undefined;
  const retryAt = asked ?? (isLimited ? now + defaultPauseMs : null);
  const others = connection == null ? [] : await tables.repositories.ofConnection(connection);
  const stretch = repository.allowance == null ? 1 : intervalFactor(others, repository.allowance);
  const event: SweepEvent =
    error === undefined
      ? { type: 'DONE', lease, now, spread, stretch, unsettled }
      : { type: 'FAILED', lease, now, spread, reason: reasonOf(error), retryAt };
  const ended = (await advanceRepository(writing, repository, event, notes)) ?? repository;
  const until = isLimited ? retryAt : quota !== undefined && isScarce(quota) ? quota.resetAt : null;
  if (connection == null || until === null || until <= now) return ended;
  await pauseConnection(writing, connection, until);
  return (await tables.repositories.find(repository.id)) ?? ended;
}

function reasonOf(error: unknown): string {
  return error instanceof ForgeError || error instanceof Failure
    ? error.message
    : 'the forge’s answer could not be processed';
}

interface SweepChanges {
  readonly before: StoredRepository;
  readonly repository: StoredRepository;
  readonly named: readonly AgentBranch[];
  readonly changes: RowChanges;
  readonly gone: readonly StoredPullRequest[];
  /** All rows of branches that agents are on. */
  readonly rows: readonly StoredPullRequest[];
}

/** Appends facts about the changes, refreshes the agents' rows, and mails agents what to fix. */
async function publishChanges(
  writing: Change,
  { before, repository, named, changes, gone, rows }: SweepChanges,
): Promise<void> {
  const { tables } = writing;
  const isFirst = before.sweptAt == null;
  const seen = changes.changed.filter(({ before: was, after }) => !isFirst || was !== undefined || after.own);
  const facts = seen
    .filter(
      ({ before: was, after }) => was?.state !== after.state && (!isFirst || rows.some(({ id }) => id === after.id)),
    )
    .map(({ before: was, after }) => ({
      kind: 'pull-request.moved',
      subjectId: after.id,
      detail: changeDetail(was, after),
    }));
  await tables.facts.append(facts);
  const [changed, forgotten] = [changes.changed.length, gone.length];
  if (changed + forgotten > 0) {
    const detail = { pullRequests: changed, gone: forgotten };
    await tables.facts.append([{ kind: 'repository.changed', subjectId: repository.id, detail }]);
  }
  const becameRead = isFirst && repository.sweptAt != null;
  const branches = becameRead
    ? branchesOf(named, repository)
    : [
        ...new Set(
          [...changes.changed.map(({ after }) => after), ...gone].filter(({ own }) => own).map((row) => row.headBranch),
        ),
      ];
  const affected =
    branches.length === 0 && rows.length === 0 ? [] : [...branches, ...rows.map(({ headBranch }) => headBranch)];
  const found = affected.length === 0 ? [] : await tables.agents.onBranches([...new Set(affected)]);
  const confirmed = await readConfirmedRepositories(
    tables,
    found.map(({ workflowId }) => workflowId),
  );
  const agents = found.filter(
    ({ workflowId, repositoryUrl }) =>
      repositoryUrl != null && isNameOf(repository, repositoryUrl) && confirmed.holds(workflowId, repositoryUrl),
  );
  for (const { id, branch } of agents) {
    if (branch == null || !branches.includes(branch)) continue;
    const states = rows
      .filter(({ headBranch }) => headBranch === branch)
      .map(({ number, state }) => ({ number, state }));
    await tables.journal.touchPullRequest(id, { pullRequests: states });
  }
  await mailProblems(writing, rows, (row) => agents.filter(({ branch }) => branch === row.headBranch));
}

function changeDetail(before: StoredPullRequest | undefined, after: StoredPullRequest): Record<string, unknown> {
  const { number, url, repositoryUrl, headBranch, headSha, checks, mergeability, reviewDecision } = after;
  return {
    from: before?.state ?? 'PULL_REQUEST_STATE_NONE',
    to: after.state,
    number,
    url,
    repositoryUrl,
    headBranch,
    headSha,
    checks,
    mergeability,
    reviewDecision,
  };
}
