import { Failure } from '#contract/failure.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { fillIndex, type HashMode } from '#world/git/checkout/own-index.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { GitError } from '#world/git/repository/git-error.ts';
import { openShadow, type Shadow } from '#world/git/repository/shadow.ts';
import { overPlainFiles } from '#world/git/snapshot/plain-lists.ts';
import { type Snapshot, snapshotTree } from '#world/git/snapshot/snapshot.ts';
import { reviewLimits } from '#world/git/snapshot/snapshot-selection.ts';

/** Everything in a worktree at one moment, as a tree. */
export interface WorktreeView extends Snapshot {
  /** The commit that was checked out; undefined on a branch without commits. */
  readonly headSha: string | undefined;
  /** The store with the objects of the tree, including those that are stored nowhere else. It ends with the view. */
  readonly shadow: Shadow;
}

const attempts = 3;
/** How long viewing a worktree may take, in milliseconds; views of other worktrees do not wait for it. */
export const lookMs = 60_000;

/**
 * Takes the tree of a worktree and runs work with it. New objects are stored in the repository or gone afterwards. If
 * files vanish or HEAD moves meanwhile, the tree is taken again. Index, HEAD and files stay as they are, and nothing
 * that the repository configures is run.
 * @throws ABORTED when the worktree keeps changing, FAILED_PRECONDITION when a file that git would open is not a
 *   regular file, DEADLINE_EXCEEDED after a minute
 */
export function viewWorktree<T>(
  at: CheckoutFolder,
  how: { readonly objects: 'keep' | 'discard'; readonly hashing: HashMode },
  use: (view: WorktreeView) => Promise<T>,
): Promise<T> {
  const look = async (): Promise<T> => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const headSha = await readHeadSha(at);
      await using shadow = await openShadow(at, { headSha, index: 'shadow', objects: how.objects });
      const isLast = attempt === attempts;
      const taken = await overPlainFiles(shadow, at, () => take(shadow, at, { headSha, ...how }, isLast), lookMs);
      if (taken !== undefined && (await readHeadSha(at)) === headSha) return await use({ ...taken, headSha, shadow });
    }
    throw new Failure('FILE_CHANGED', `${at.workTree} kept changing while muster read it: try again`);
  };
  return withMutex(at.workTree, look);
}

/** The snapshot; undefined if git failed on something that is being written, so that a retry may succeed. */
async function take(
  shadow: Shadow,
  at: CheckoutFolder,
  { headSha, hashing }: { readonly headSha: string | undefined; readonly hashing: HashMode },
  isLast: boolean,
): Promise<Snapshot | undefined> {
  try {
    const { committed } = await fillIndex(shadow, at, headSha, hashing);
    return await snapshotTree(shadow, at.workTree, committed, reviewLimits);
  } catch (error) {
    if (isLast || !(error instanceof GitError) || error.trouble !== 'exit') throw error;
    return undefined;
  }
}
