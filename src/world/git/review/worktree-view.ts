import { Failure } from '#contract/failure.ts';
import { alone } from '../../alone.ts';
import { readHeadSha } from '../checkout.ts';
import type { GitDirectory } from '../git-directory.ts';
import { GitError } from '../git-error.ts';
import { openShadow, type Shadow } from '../shadow.ts';
import { prepareIndex, type Snapshot, snapshotTree } from '../snapshot.ts';
import type { SnapshotLimits } from '../snapshot-selection.ts';

/** A checkout with its files. */
export interface CheckoutDirectory extends GitDirectory {
  readonly workTree: string;
}

/** Everything in a worktree at one moment, as a tree. */
export interface WorktreeView extends Snapshot {
  /** The commit that was checked out; undefined on a branch without commits. */
  readonly headSha: string | undefined;
  /** Where the objects of the tree are, also those that are stored nowhere else. It goes with the view. */
  readonly shadow: Shadow;
}

/** Nobody reviews more than this, and a build that is not ignored must not fill the repository. */
const limits: SnapshotLimits = { fileBytes: 20_000_000, untrackedBytes: 200_000_000, untrackedFiles: 5_000 };
const attempts = 3;
/** Worktrees that are looked through at a time: many agents come to rest together, and each look keeps a core busy. */
const lanes = 2;
let turns = 0;

/**
 * Takes the tree of a worktree and does something with it. Objects are kept in the repository or gone afterwards. Where
 * files vanish or HEAD moves while it is taken, it is taken again. Index, HEAD and files stay as they are, and nothing
 * that the repository configures is run.
 * @throws Failure `aborted` where the worktree does not hold still
 */
export function viewWorktree<T>(
  at: CheckoutDirectory,
  objects: 'keep' | 'discard',
  use: (view: WorktreeView) => Promise<T>,
): Promise<T> {
  const look = async (): Promise<T> => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const headSha = await readHeadSha(at);
      await using shadow = await openShadow(at, { headSha, index: 'copy', objects });
      const taken = await take(shadow, at.workTree, headSha, attempt === attempts);
      if (taken !== undefined && (await readHeadSha(at)) === headSha) return await use({ ...taken, headSha, shadow });
    }
    throw new Failure('aborted', `${at.workTree} was committed to all the while it was looked at: try again`);
  };
  turns += 1;
  const lane = `a look at a worktree, lane ${turns % lanes}`;
  return alone(at.workTree, () => alone(lane, look));
}

/** The snapshot; undefined where git stumbled over something that is being written, and it is worth another look. */
async function take(
  shadow: Shadow,
  workTree: string,
  headSha: string | undefined,
  isLast: boolean,
): Promise<Snapshot | undefined> {
  try {
    await prepareIndex(shadow, workTree, headSha);
    return await snapshotTree(shadow, workTree, limits);
  } catch (error) {
    if (isLast || !(error instanceof GitError) || error.trouble !== 'exit') throw error;
    return undefined;
  }
}
