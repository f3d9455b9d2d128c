import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { carryIgnored, type WorktreesFolder } from './carried-ignored.ts';
import { carrySubmodules } from './carried-submodules.ts';
import { type CarriedChanges, putChanges } from './carry-changes.ts';
import type { Worktree } from './worktree.ts';
import { worktreeAt } from './worktree-entry.ts';
import { explainedFault } from './worktree-fault.ts';

/**
 * Copies what a checkout has beyond its commit into a new worktree that was made from that commit: changed and
 * untracked files, submodules, and ignored files. A repeated call has the same result.
 * @param changes those of the checkout, taken before the worktree was made
 * @throws FAILED_PRECONDITION when git cannot read or store a file; RESOURCE_EXHAUSTED when the disk is full
 */
export async function carryCheckout(
  from: CheckoutFolder,
  worktree: Worktree,
  changes: CarriedChanges,
  own: WorktreesFolder,
): Promise<void> {
  const to = await worktreeAt(from.commonDir, worktree.path);
  await putChanges(to, worktree.baseSha, changes);
  await carrySubmodules(from, to, changes.submodules);
  try {
    await carryIgnored(from, to.workTree, own);
  } catch (error) {
    throw explainedFault(error, to.workTree);
  }
}
