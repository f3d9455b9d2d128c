import { lstat, mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { cancelSignal } from '#world/concurrency/cancellation.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import { requireRefName } from '#world/git/repository/branch-name.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { waitForIndexLock } from '#world/git/repository/git-lock.ts';
import { changeReferences, openRepository, repositoryGit } from '#world/git/repository/repository.ts';
import { checkOut } from './check-out.ts';
import { dropBranch, ensureBranch, markedBase } from './worktree-branch.ts';
import {
  forgetEntry,
  isCutShort,
  pointerOf,
  resolveExistingPath,
  type WorktreeEntry,
  worktreeAt,
  worktreeEntries,
} from './worktree-entry.ts';
import { explainedFault } from './worktree-fault.ts';

export interface WorktreeOptions {
  /** Any folder of the repository. */
  readonly repository: string;
  /** An absolute path at which there is nothing, or an empty folder. */
  readonly path: string;
  readonly branch: string;
  /** A branch, tag or commit to start from; without it see `resolveBase`. */
  readonly base?: string;
  /** One line that names the owner. The worktree is locked with it, and only a worktree locked with it is adopted. */
  readonly reason: string;
}

export interface Worktree {
  readonly path: string;
  readonly branch: string;
  /** The commit that the branch was made from. */
  readonly baseSha: string;
}

/**
 * Makes a worktree on a new branch without running anything that the repository configures: no hook, no filter (so
 * files of git-lfs stay pointers until a setup script pulls them). Called again after a crash at any point, it adopts a
 * worktree with the same path, branch and reason, and starts an unfinished one over. A branch or folder that it did not
 * make is never touched. If it is cancelled, git ends at once and the folder is removed.
 * @throws FAILED_PRECONDITION when there is no repository, commit or base; ALREADY_EXISTS when the path or branch is
 * somebody else's; INVALID_ARGUMENT; RESOURCE_EXHAUSTED when the disk is full; GitError
 */
export async function addWorktree(order: WorktreeOptions): Promise<Worktree> {
  requireRefName(order.branch, 'branch');
  if (!isAbsolute(order.path)) throw new Failure('INVALID_PATH', `the path ${order.path} must be absolute`);
  if (!/^[^\r\n]*\S[^\r\n]*$/.test(order.reason)) {
    throw new Failure('INVALID_VALUE', 'the reason must be one line that names the owner of the worktree');
  }
  const at = await openRepository(order.repository);
  const path = await resolveExistingPath(order.path);
  return withMutex(path, () => adoptOrMake(at, path, order));
}

async function adoptOrMake(at: GitDirectory, path: string, order: WorktreeOptions): Promise<Worktree> {
  const entries = await worktreeEntries(at.commonDir);
  const entry = entries.find((one) => one.path === path) ?? entries.find((one) => isCutShort(one, order.reason));
  if (entry !== undefined) {
    if (entry.lockReason !== order.reason) {
      throw new Failure('WORKTREE_PATH_TAKEN', `${path} is another worktree of this repository: choose another path`);
    }
    const adopted = await adopt(at, entry, path, order.branch);
    if (adopted !== undefined) return adopted;
    await discard(entry, path);
  }
  await requireFree(path);
  return make(at, path, order);
}

/** The finished worktree of an earlier call; undefined if it is unfinished and contains no work. */
async function adopt(
  at: GitDirectory,
  entry: WorktreeEntry,
  path: string,
  branch: string,
): Promise<Worktree | undefined> {
  const isWhole = await waitForIndexLock(entry.adminDir);
  if (!isWhole || (await readdir(path).catch(() => undefined)) === undefined) return undefined;
  const baseSha = await markedBase(at, branch);
  if (entry.branch !== branch || baseSha === undefined) {
    throw new Failure(
      'WORKTREE_PATH_TAKEN',
      `${path} is a worktree on ${entry.branch ?? 'no branch'}, not on ${branch}`,
    );
  }
  await repairPointer(path, entry.adminDir);
  return { path, branch, baseSha };
}

async function repairPointer(path: string, adminDir: string): Promise<void> {
  const target = await pointerOf(path);
  if (target === adminDir) return;
  if (target !== undefined) {
    throw new Failure('DIRECTORY_CHANGED', `${path}/.git points to another repository: ${target}`);
  }
  await writeFile(join(path, '.git'), `gitdir: ${adminDir}\n`, { flag: 'wx' });
}

async function requireFree(path: string): Promise<void> {
  const files = await readdir(path).catch(() => undefined);
  const isThere = (await lstat(path).catch(() => undefined)) !== undefined;
  if (isThere && files?.length !== 0) {
    throw new Failure('WORKTREE_PATH_TAKEN', `${path} exists already: choose another path or remove it`);
  }
}

async function make(at: GitDirectory, path: string, order: WorktreeOptions): Promise<Worktree> {
  const { baseSha, isNew } = await withMutex(at.commonDir, () => ensureBranch(at, order.branch, order.base));
  try {
    await mkdir(dirname(path), { recursive: true });
    await withMutex(at.commonDir, () => register(at, path, order));
    await fill(at, path);
    return { path, branch: order.branch, baseSha };
  } catch (error) {
    await undo(at, path, order.reason);
    // A branch that cannot be removed is marked as muster's: the next call adopts it, or a removal deletes it.
    if (isNew && cancelSignal()?.aborted !== true) await dropBranch(at, order.branch, baseSha).catch(() => undefined);
    throw explainedFault(error, path);
  }
}

function register(at: GitDirectory, path: string, order: WorktreeOptions): Promise<unknown> {
  const lock = ['--lock', '--reason', order.reason];
  return changeReferences(at, ['worktree', 'add', '--no-checkout', '--quiet', ...lock, '--', path, order.branch]);
}

async function fill(at: GitDirectory, path: string): Promise<void> {
  const worktree = await worktreeAt(at.commonDir, path);
  const { stdout } = await repositoryGit(worktree, ['rev-parse', '--verify', 'HEAD']);
  await checkOut(worktree, stdout.toString('utf8').trim());
}

async function undo(at: GitDirectory, path: string, reason: string): Promise<void> {
  const entries = await worktreeEntries(at.commonDir);
  const mine = entries.find((one) => one.lockReason === reason && (one.path === path || one.path === undefined));
  if (mine !== undefined) await discard(mine, path);
}

/**
 * Removes an unfinished worktree; its folder with everything in it only if the record says that this is the folder.
 */
async function discard(entry: WorktreeEntry, path: string): Promise<void> {
  if (entry.path === path) await rm(path, { recursive: true, force: true });
  else await rmdir(path).catch(() => undefined);
  await forgetEntry(entry);
}
