import { lstat, rename, rmdir } from 'node:fs/promises';
import { withMutex } from '#world/concurrency/mutex.ts';
import { baseTips, unsavedCommits } from '#world/git/checkout/unsaved-commits.ts';
import { requireRefName } from '#world/git/repository/branch-name.ts';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { commitOf } from '#world/git/repository/repository.ts';
import { keepSnapshot, keptRef } from './kept-snapshot.ts';
import { asidePath, removeMovedAside } from './moved-aside.ts';
import { removeTree } from './remove-tree.ts';
import { branchState, dropBranch, forgetBranch } from './worktree-branch.ts';
import {
  branchOf,
  directoryOf,
  forgetEntry,
  pointerOf,
  resolveExistingPath,
  worktreeEntries,
} from './worktree-entry.ts';
import {
  inspectWorktree,
  reasonsAgainstRemoval,
  reasonsOfAbsent,
  type WorktreeInspection,
  type WorktreeQuestion,
} from './worktree-inspection.ts';

export interface WorktreeRemovalOptions extends WorktreeQuestion {
  /** Names the reference that a forced removal keeps everything under: `refs/muster/kept/<agentId>`. */
  readonly agentId: string;
  /** Remove even if work would be lost, after a snapshot of all tracked and untracked files. */
  readonly force: boolean;
  /**
   * Keep the branch, and everything in the worktree under the same reference, also if nothing would be lost: what a
   * remote had may be gone there. If anything is written meanwhile, the worktree stays.
   */
  readonly keep?: boolean;
  /** Called right before the worktree is moved aside. @throws Failure to leave it */
  readonly confirm?: () => Promise<void>;
}

export type WorktreeRemoval =
  | { readonly removed: true; readonly branchDeleted: boolean }
  | { readonly removed: false; readonly reasons: readonly string[] };

/**
 * Removes a worktree if nothing would be lost, or by force; otherwise reports the reasons and changes nothing. The
 * branch goes too if muster made it, it is checked out nowhere else and its commits are elsewhere too. It is no error
 * if something is gone already; calling again finishes an interrupted removal.
 */
export async function removeWorktree(order: WorktreeRemovalOptions): Promise<WorktreeRemoval> {
  requireRefName(order.branch, 'branch');
  requireRefName(order.agentId, 'agent');
  const path = await resolveExistingPath(order.path);
  return withMutex(path, async () => {
    const at = await findGitDirectory(order.repository);
    if (at === undefined) return withoutRepository(path, order);
    const refusal = await takeDown(at, path, order);
    if (refusal.length > 0) return { removed: false, reasons: refusal };
    await removeMovedAside(path);
    if (order.keep) return { removed: true, branchDeleted: false };
    return { removed: true, branchDeleted: await withMutex(at.commonDir, () => deleteBranch(at, order)) };
  });
}

/** Removes the folder and returns no reason, or returns the reasons why it stays. */
async function takeDown(at: GitDirectory, path: string, order: WorktreeRemovalOptions): Promise<readonly string[]> {
  let found: WorktreeInspection;
  try {
    found = await inspectWorktree(order);
  } catch (error) {
    return [`it could not be read: ${messageOf(error)}`];
  }
  if (found.state === 'gone') return [];
  const reasons = reasonsAgainst(found);
  if (found.state === 'foreign' || (reasons.length > 0 && !order.force)) return reasons;
  if (found.state === 'present' && found.facts.hidden.length > 0) return reasons;
  const directory = directoryOf(found.entry, at.commonDir, path);
  try {
    if (reasons.length > 0 || order.keep) await keepSnapshot(directory, keptRef(order.agentId), found.state);
    await order.confirm?.();
    // One rename removes the whole worktree; an interruption after it only delays the clean-up.
    if (found.state === 'present') {
      const aside = await asidePath(path, path);
      await rename(path, aside);
      if (order.keep && (await isWritten(directory, aside, order.agentId))) {
        await rename(aside, path);
        return ['it was written to meanwhile'];
      }
    }
  } catch (error) {
    return [`it could not be kept and removed: ${messageOf(error)}`];
  }
  await forgetEntry(found.entry);
  // An interrupted removal may have left the empty folder.
  await rmdir(path).catch(() => undefined);
  return [];
}

/** Whether a worktree that was moved aside differs from what was kept of it. If so, that is kept too. */
async function isWritten(directory: GitDirectory, aside: string, agentId: string): Promise<boolean> {
  const ref = keptRef(agentId);
  const kept = await commitOf(directory, ref);
  await keepSnapshot({ ...directory, workTree: aside }, ref, 'present');
  return (await commitOf(directory, ref)) !== kept;
}

function reasonsAgainst(found: Exclude<WorktreeInspection, { state: 'gone' }>): readonly string[] {
  switch (found.state) {
    case 'foreign':
      return [`${found.why}: check it and remove it by hand`];
    case 'missing':
      return [
        ...(found.unheldCommits > 0 ? [`commits that are only on its detached HEAD: ${found.unheldCommits}`] : []),
        ...reasonsOfAbsent(found.absentSubmodules),
      ];
    case 'present':
      return reasonsAgainstRemoval(found.facts);
  }
}

async function deleteBranch(at: GitDirectory, order: WorktreeRemovalOptions): Promise<boolean> {
  const { base, tip } = await branchState(at, order.branch);
  if (base === undefined) return false;
  if (tip === undefined) {
    await forgetBranch(at, order.branch);
    return true;
  }
  const heads = [await branchOf(at.commonDir), ...(await worktreeEntries(at.commonDir)).map((one) => one.branch)];
  if (heads.includes(order.branch)) return false;
  if ((await unsavedCommits(at, [tip], await baseTips(at, order.base))) > 0) return false;
  await dropBranch(at, order.branch, tip);
  return true;
}

/** The repository is gone, so nothing can be kept or compared. Only force removes such a folder. */
async function withoutRepository(path: string, order: WorktreeRemovalOptions): Promise<WorktreeRemoval> {
  const isThere = (await lstat(path).catch(() => undefined)) !== undefined;
  const gone = `the repository ${order.repository} is gone`;
  if (isThere && !order.force) return { removed: false, reasons: [`${gone}: it is unknown what would be lost`] };
  if (isThere && (await pointerOf(path)) === undefined) {
    return { removed: false, reasons: [`${gone} and ${path} is not a worktree: check it and remove it by hand`] };
  }
  await removeTree(path);
  await removeMovedAside(path);
  return { removed: true, branchDeleted: false };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
