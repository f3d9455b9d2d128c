import { withMutex } from '#world/concurrency/mutex.ts';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { removeTree } from './remove-tree.ts';
import type { WorktreeOptions } from './worktree.ts';
import { branchTip, dropBranch, forgetBranch, markedBase } from './worktree-branch.ts';
import { forgetEntry, resolveExistingPath, worktreeEntries } from './worktree-entry.ts';

/**
 * Removes a worktree that was made by this order, with everything in it and its branch: nothing is kept. It is no error
 * if they are gone already. A worktree or branch that the order did not make stays.
 */
export async function discardWorktree(order: Omit<WorktreeOptions, 'base'>): Promise<void> {
  const path = await resolveExistingPath(order.path);
  await withMutex(path, async () => {
    const at = await findGitDirectory(order.repository);
    await removeTree(path);
    if (at === undefined) return;
    for (const entry of await worktreeEntries(at.commonDir)) {
      if (entry.lockReason === order.reason && (entry.path ?? path) === path) await forgetEntry(entry);
    }
    await withMutex(at.commonDir, () => discardBranch(at, order.branch));
  });
}

async function discardBranch(at: GitDirectory, branch: string): Promise<void> {
  if ((await markedBase(at, branch)) === undefined) return;
  const tip = await branchTip(at, branch);
  if (tip === undefined) await forgetBranch(at, branch);
  else await dropBranch(at, branch, tip);
}
