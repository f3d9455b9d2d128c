import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { currentBranch, Errors, resolveRef } from 'isomorphic-git';
import { pushWebUrl } from '#world/git/remote/push-address.ts';
import { isBranchName } from '#world/git/repository/branch-name.ts';
import { findGitDirectory, type GitDirectory, readLine } from '#world/git/repository/git-directory.ts';
import { commondirFs } from './commondir-fs.ts';

/** The state of a checkout, as far as its files show it. */
export interface Checkout {
  readonly gitDir: string;
  readonly commonDir: string;
  /**
   * The branch it is on, without `refs/heads/`; the branch being rebased during a rebase. Unset on a detached HEAD, and
   * if that is not a name of one.
   */
  readonly branch?: string;
  /** The commit that is checked out, in full. Unset on a branch without commits. */
  readonly headSha?: string;
  /** The web address of the repository it pushes to. Unset if origin is not a forge. */
  readonly repositoryUrl?: string;
  /** Whether a merge, rebase, cherry-pick or revert is part-way through. */
  readonly sequenceInProgress: boolean;
}

/**
 * Reads the checkout that a folder belongs to. Nothing is run and nothing is written. Undefined if the folder is
 * gone or is in no checkout.
 */
export async function readCheckout(dir: string): Promise<Checkout | undefined> {
  const at = await findGitDirectory(dir);
  if (at?.workTree === undefined) return undefined;
  const [branch, headSha, repositoryUrl, sequenceInProgress] = await Promise.all([
    readBranch(at),
    readHeadSha(at),
    pushWebUrl(join(at.commonDir, 'config')),
    isSequenceInProgress(at.gitDir),
  ]);
  return {
    gitDir: at.gitDir,
    commonDir: at.commonDir,
    sequenceInProgress,
    ...(branch === undefined ? {} : { branch }),
    ...(headSha === undefined ? {} : { headSha }),
    ...(repositoryUrl === undefined ? {} : { repositoryUrl }),
  };
}

/** Whether a merge, rebase, cherry-pick or revert is part-way through the checkout with this git directory. */
export async function isSequenceInProgress(gitDir: string): Promise<boolean> {
  const signs = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'sequencer'];
  const found = await Promise.all(signs.map((sign) => stat(join(gitDir, sign)).catch(() => undefined)));
  return found.some((stats) => stats !== undefined);
}

/**
 * The commit that a checkout's HEAD stands for; undefined on a branch without commits and where git's files make no
 * sense.
 */
export async function readHeadSha(at: GitDirectory): Promise<string | undefined> {
  const branch = await fullBranch(at);
  // A branch that stands for another one is found only among all references.
  return (await resolveHead(at, branch ?? 'HEAD')) ?? (branch === undefined ? undefined : resolveHead(at));
}

async function resolveHead(at: GitDirectory, only?: string): Promise<string | undefined> {
  try {
    const sha = await resolveRef({ fs: commondirFs(at, only), gitdir: at.gitDir, ref: 'HEAD' });
    return /^[0-9a-f]{40}$/.test(sha) ? sha : undefined;
  } catch (error) {
    // isomorphic-git does not know names of 64 digits and takes one for a reference that it then misses.
    const missed = error instanceof Errors.NotFoundError ? error.data.what : '';
    return /^[0-9a-f]{64}$/.test(missed) ? missed : undefined;
  }
}

async function fullBranch(at: GitDirectory): Promise<string | undefined> {
  const fs = commondirFs(at, 'HEAD');
  const name = await currentBranch({ fs, gitdir: at.gitDir, fullname: true }).catch(() => undefined);
  return name ?? undefined;
}

async function readBranch(at: GitDirectory): Promise<string | undefined> {
  const full = await fullBranch(at);
  const rebased =
    full ??
    (await readLine(join(at.gitDir, 'rebase-merge/head-name'))) ??
    (await readLine(join(at.gitDir, 'rebase-apply/head-name')));
  // If references are kept in another format, HEAD names a branch that cannot exist.
  if (rebased?.startsWith('refs/heads/') !== true || rebased === 'refs/heads/.invalid') return undefined;
  const name = rebased.slice('refs/heads/'.length);
  return isBranchName(name) ? name : undefined;
}
