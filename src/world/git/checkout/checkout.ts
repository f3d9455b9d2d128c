import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { currentBranch, Errors, resolveRef } from 'isomorphic-git';
import { pushWebUrl } from '#world/git/remote/push-address.ts';
import { isBranchName } from '#world/git/repository/branch-name.ts';
import { findGitDirectory, type GitDirectory, readLine } from '#world/git/repository/git-directory.ts';
import { commondirFs } from './commondir-fs.ts';

/** The state of a checkout, read from its files. */
export interface Checkout {
  readonly gitDir: string;
  readonly commonDir: string;
  /**
   * The branch it is on, without `refs/heads/`; during a rebase the branch being rebased. Unset on a detached HEAD, and
   * if the name is not valid.
   */
  readonly branch?: string;
  /** The commit that is checked out, in full. Unset on a branch without commits. */
  readonly headSha?: string;
  /** The web address of the repository it pushes to. Unset if origin is not a forge. */
  readonly repositoryUrl?: string;
  /** Whether a merge, rebase, cherry-pick or revert is in progress. */
  readonly sequenceInProgress: boolean;
}

/**
 * Reads the checkout that contains a folder, without running or writing anything. Undefined if the folder is gone or
 * not in a checkout.
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

/** Whether a merge, rebase, cherry-pick or revert is in progress in the checkout with this git directory. */
export async function isSequenceInProgress(gitDir: string): Promise<boolean> {
  const signs = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'sequencer'];
  const found = await Promise.all(signs.map((sign) => stat(join(gitDir, sign)).catch(() => undefined)));
  return found.some((stats) => stats !== undefined);
}

/** The commit of a checkout's HEAD; undefined on a branch without commits, and if git's files are invalid. */
export async function readHeadSha(at: GitDirectory): Promise<string | undefined> {
  const branch = await fullBranch(at);
  // A symbolic reference is found only among all references.
  return (await resolveHead(at, branch ?? 'HEAD')) ?? (branch === undefined ? undefined : resolveHead(at));
}

async function resolveHead(at: GitDirectory, only?: string): Promise<string | undefined> {
  try {
    const sha = await resolveRef({ fs: commondirFs(at, only), gitdir: at.gitDir, ref: 'HEAD' });
    return /^[0-9a-f]{40}$/.test(sha) ? sha : undefined;
  } catch (error) {
    // isomorphic-git does not support SHA-256 and takes such a name for a missing reference.
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
  // With another reference format, HEAD names a branch that cannot exist.
  if (rebased?.startsWith('refs/heads/') !== true || rebased === 'refs/heads/.invalid') return undefined;
  const name = rebased.slice('refs/heads/'.length);
  return isBranchName(name) ? name : undefined;
}
