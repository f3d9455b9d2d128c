import { Failure } from '#contract/failure.ts';
import type { LeftOut } from '#contract/wire/review-calls.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import { isSequenceInProgress, readHeadSha } from '#world/git/checkout/checkout.ts';
import { fillIndex } from '#world/git/checkout/own-index.ts';
import { submoduleAt } from '#world/git/checkout/submodule-link.ts';
import type { CheckoutFolder, GitDirectory } from '#world/git/repository/git-directory.ts';
import { removeStaleRefLock } from '#world/git/repository/git-lock.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import {
  changeReferences,
  commitOf,
  lineOf,
  repositoryGit,
  writeLastingRef,
} from '#world/git/repository/repository.ts';
import { openShadow, type Shadow } from '#world/git/repository/shadow.ts';
import type { WritePermit } from '#world/git/repository/write-permit.ts';
import { overPlainFiles } from '#world/git/snapshot/plain-lists.ts';
import { snapshotTree } from '#world/git/snapshot/snapshot.ts';
import { reviewLimits } from '#world/git/snapshot/snapshot-selection.ts';
import { openObjects } from './blobs.ts';
import { changedEntries } from './changed-entries.ts';
import { type BaseQuestion, roundBase } from './round-base.ts';
import { lookMs, viewWorktree, type WorktreeView } from './worktree-view.ts';

export interface RoundOptions extends BaseQuestion {
  /** The full reference that keeps the snapshot, `refs/muster/rounds/<agent>/<n>`. */
  readonly ref: string;
  /** Refuse while a merge, rebase or cherry-pick is in progress. */
  readonly settled: boolean;
  /** Called before the reference is written; undefined if the order cannot be cancelled. */
  readonly permit?: WritePermit;
}

/** A snapshot of everything in a worktree, kept under a reference, and the commit that it is compared with. */
export interface Round {
  readonly snapshotSha: string;
  readonly baseSha: string;
  readonly treeSha: string;
  /** With paths as shown to people; the first 1,000. */
  readonly leftOut: readonly LeftOut[];
  readonly leftOutCount: number;
  /** How many files differ between base and snapshot. */
  readonly changedFiles: number;
}

const maxNamed = 1_000;

/**
 * Snapshots a worktree, including uncommitted and untracked work. Index, HEAD and files stay as they are, and nothing
 * that the repository configures is run. The reference's earlier commit, the base and HEAD stay reachable from the new
 * snapshot, so that git's garbage collection removes none of them.
 * @throws FAILED_PRECONDITION when the given base does not exist, or `settled` is set and a merge, rebase or
 *   cherry-pick is in progress; ABORTED when the worktree keeps changing
 */
export async function cutRound(at: CheckoutFolder, order: RoundOptions): Promise<Round> {
  if (order.settled && (await isSequenceInProgress(at.gitDir))) {
    throw new Failure(
      'GIT_OPERATION_UNDER_WAY',
      `a merge, rebase or cherry-pick is in progress in ${at.workTree}: finish or abort it first`,
    );
  }
  return viewWorktree(at, { objects: 'keep', hashing: 'everything' }, async (view) => {
    const { shadow, treeSha, headSha } = view;
    const base = (await roundBase(at, order, headSha)) ?? { sha: await emptyCommit(shadow), isShared: false };
    const baseSha = base.sha;
    const held = [headSha, base.isShared ? undefined : baseSha].filter((sha) => sha !== undefined);
    const snapshotSha = await withMutex(`${at.commonDir} ${order.ref}`, () => keep(at, view, held, order));
    await using objects = await openObjects(at);
    const lookWithin = () => dirtySubmodules(view.submodules, at.workTree);
    const dirty = view.submodules.length === 0 ? [] : await overPlainFiles(shadow, at, lookWithin, lookMs);
    const leftOut = [...view.leftOut, ...dirty];
    return {
      snapshotSha,
      baseSha,
      treeSha,
      leftOut: leftOut.slice(0, maxNamed).map((one) => ({ ...one, path: shownPath(one.path) })),
      leftOutCount: leftOut.length,
      changedFiles: (await changedEntries(objects, baseSha, snapshotSha)).length,
    };
  });
}

/** Removes references of rounds; one that is gone already is not an error. */
export async function dropRounds(at: GitDirectory, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return;
  for (const ref of refs) await removeStaleRefLock(at.commonDir, ref);
  const input = refs.map((ref) => `delete ${ref}\n`).join('');
  await withMutex(`${at.commonDir} ${refs[0]}`, () =>
    changeReferences(at, ['update-ref', '--no-deref', '--stdin'], { input }),
  );
}

/** Removes the references of all rounds of an agent, so that git's garbage collection may remove the snapshots. */
export async function dropAllRounds(at: GitDirectory, agentId: string): Promise<void> {
  const listed = await repositoryGit(at, ['for-each-ref', '--format=%(refname)', `refs/muster/rounds/${agentId}/`]);
  await dropRounds(at, listed.stdout.toString('utf8').split('\n').slice(0, -1));
}

/** Commits the tree with what it must keep alive as parents, HEAD first, and points the reference at it. */
async function keep(
  at: GitDirectory,
  { treeSha, shadow }: WorktreeView,
  held: readonly string[],
  { ref, permit }: RoundOptions,
): Promise<string> {
  const before = await commitOf(at, ref);
  const parents = [...held, ...(before === undefined ? [] : [before])].flatMap((parent) => ['-p', parent]);
  const snapshotSha = lineOf(await shadow.git(['commit-tree', ...parents, '-m', `Snapshot ${ref}`, treeSha]));
  const checkWanted = await permit?.();
  await removeStaleRefLock(at.commonDir, ref);
  checkWanted?.();
  await writeLastingRef(at, ref, snapshotSha, before === undefined ? 'absent' : { sha: before });
  return snapshotSha;
}

/** What the work in a repository without any commit is compared with: the same empty commit each time. */
async function emptyCommit(shadow: Shadow): Promise<string> {
  const tree = lineOf(await shadow.git(['mktree'], { input: '' }));
  const date = '2000-01-01T00:00:00Z';
  const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return lineOf(await shadow.git(['commit-tree', '-m', 'Nothing yet', tree], { env }));
}

/** Submodules with uncommitted work: a snapshot has only the commit that each is at. */
async function dirtySubmodules(submodules: readonly string[], workTree: string): Promise<LeftOut[]> {
  const dirty: LeftOut[] = [];
  for (const path of submodules) {
    const at = await submoduleAt(workTree, path);
    if (at !== undefined && (await isDirty(at))) dirty.push({ path, reason: 'submodule' });
  }
  return dirty;
}

async function isDirty(at: CheckoutFolder): Promise<boolean> {
  const headSha = await readHeadSha(at);
  await using shadow = await openShadow(at, { headSha, index: 'shadow', objects: 'discard' });
  const look = async (): Promise<boolean> => {
    const { committed } = await fillIndex(shadow, at, headSha, 'everything');
    const { treeSha, leftOut, submodules } = await snapshotTree(shadow, at.workTree, committed, reviewLimits);
    const head = headSha ?? (await emptyCommit(shadow));
    const isSame = lineOf(await shadow.git(['rev-parse', '--verify', `${head}^{tree}`])) === treeSha;
    return !isSame || leftOut.length > 0 || (await dirtySubmodules(submodules, at.workTree)).length > 0;
  };
  return await overPlainFiles(shadow, at, look, lookMs);
}
