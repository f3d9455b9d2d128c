import { rename, rm, stat } from 'node:fs/promises';
import { Failure } from '#contract/failure.ts';
import { requireRefName } from './branch-name.ts';
import { findGitDirectory, type GitDirectory } from './git-directory.ts';
import { baseTips, unheldCommits } from './held-commits.ts';
import { keepSnapshot } from './kept-snapshot.ts';
import { withRepository } from './repository-mutex.ts';
import { branchTip, dropBranch, markedBase } from './worktree-branch.ts';
import {
  branchOf,
  directoryOf,
  forgetEntry,
  settledPath,
  type WorktreeEntry,
  worktreeEntries,
} from './worktree-entry.ts';
import {
  inspectWorktree,
  reasonsAgainstRemoval,
  type WorktreeInspection,
  type WorktreeQuestion,
} from './worktree-inspection.ts';

export interface WorktreeRemovalOrder extends WorktreeQuestion {
  /** Names the reference that a forced removal keeps everything under: `refs/muster/kept/<agentId>`. */
  readonly agentId: string;
  /** Remove although something would be lost, after a snapshot of all tracked and untracked files. */
  readonly force: boolean;
}

export type WorktreeRemoval =
  | { readonly removed: true; readonly branchDeleted: boolean }
  | { readonly removed: false; readonly reasons: readonly string[] };

/**
 * Removes a worktree where nothing would be lost, or by force; otherwise says why not and touches nothing. The branch goes too
 * where muster made it, nobody has it checked out and its commits are held elsewhere. What is gone already is removed; a
 * removal that was cut short is finished by calling again.
 */
export async function removeWorktree(order: WorktreeRemovalOrder): Promise<WorktreeRemoval> {
  requireRefName(order.branch, 'branch');
  requireRefName(order.agentId, 'branch');
  const at = await findGitDirectory(order.repository);
  if (at === undefined) return withoutRepository(order);
  return withRepository(at.commonDir, async () => {
    const path = await settledPath(order.path);
    const refusal = await takeDown(at, path, order);
    if (refusal.length > 0) return { removed: false, reasons: refusal };
    await rm(asideOf(path), { recursive: true, force: true });
    return { removed: true, branchDeleted: await deleteBranch(at, order) };
  });
}

/** Takes the folder away and returns nothing, or returns the reasons why it stays. */
async function takeDown(at: GitDirectory, path: string, order: WorktreeRemovalOrder): Promise<string[]> {
  const found = await inspected(order);
  if (found instanceof Failure) return [`it could not be looked at: ${found.message}`];
  switch (found.state) {
    case 'gone':
      return [];
    case 'foreign':
      return [`${found.why}: look at it and remove it by hand`];
    case 'missing':
      if (found.unheldCommits > 0 && !order.force) {
        return [`${found.unheldCommits} commits of its detached HEAD are nowhere else`];
      }
      await keep(at, path, found.entry, order, 'commit');
      await forgetEntry(found.entry);
      return [];
    case 'present': {
      const reasons = reasonsAgainstRemoval(found.facts);
      if (reasons.length > 0 && !order.force) return reasons;
      if (reasons.length > 0) await keep(at, path, found.entry, order, 'files');
      // One rename takes the worktree away whole; whatever is cut short after it is only tidying up.
      await rm(asideOf(path), { recursive: true, force: true });
      await rename(path, asideOf(path));
      await forgetEntry(found.entry);
      return [];
    }
  }
}

async function inspected(order: WorktreeRemovalOrder): Promise<WorktreeInspection | Failure> {
  try {
    return await inspectWorktree(order);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Where a worktree goes to be deleted: beside where it was, so that moving it there is one step. */
function asideOf(path: string): string {
  return `${path}.muster-removed`;
}

async function keep(
  at: GitDirectory,
  path: string,
  entry: WorktreeEntry,
  order: WorktreeRemovalOrder,
  what: 'files' | 'commit',
): Promise<void> {
  const directory = directoryOf(entry, at.commonDir, path);
  await keepSnapshot(directory, `refs/muster/kept/${order.agentId}`, what);
}

async function deleteBranch(at: GitDirectory, order: WorktreeRemovalOrder): Promise<boolean> {
  const tip = await branchTip(at, order.branch);
  if (tip === undefined || (await markedBase(at, order.branch)) === undefined) return false;
  const heads = [await branchOf(at.commonDir), ...(await worktreeEntries(at.commonDir)).map((one) => one.branch)];
  if (heads.includes(order.branch)) return false;
  if ((await unheldCommits(at, [tip], await baseTips(at, order.base))) > 0) return false;
  await dropBranch(at, order.branch, tip);
  return true;
}

/** The repository is gone, and with it all that could be kept. Only force takes away a folder nobody can look into. */
async function withoutRepository(order: WorktreeRemovalOrder): Promise<WorktreeRemoval> {
  const isThere = (await stat(order.path).catch(() => undefined)) !== undefined;
  if (isThere && !order.force) {
    return {
      removed: false,
      reasons: [`the repository ${order.repository} is gone, so nobody can tell what would be lost`],
    };
  }
  if (isThere) await rm(order.path, { recursive: true, force: true });
  return { removed: true, branchDeleted: false };
}
