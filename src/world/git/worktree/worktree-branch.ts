import { Failure } from '#contract/failure.ts';
import { type BaseCommit, resolveBase } from '#world/git/checkout/base-commit.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { GitError } from '#world/git/repository/git-error.ts';
import { removeStaleRefLock } from '#world/git/repository/git-lock.ts';
import { commitOf, commitsOf, repositoryGit, writeRef } from '#world/git/repository/repository.ts';

/** A branch that muster made. */
export interface CreatedBranch {
  readonly baseSha: string;
  /** Whether this call made it, so that this call must undo it. */
  readonly isNew: boolean;
}

/**
 * The reference that says that muster made a branch, and from which commit. It is written before the branch, so a
 * branch without it is another's, and it keeps the base from being collected.
 */
function markOf(branch: string): string {
  return `refs/muster/base/${branch}`;
}

/** The commit that muster made the branch from; undefined if muster did not make it. */
export function markedBase(at: GitDirectory, branch: string): Promise<string | undefined> {
  return commitOf(at, markOf(branch));
}

/** Records another commit as the one that muster made the branch from: the branch was made from it on another host. */
export function markBase(at: GitDirectory, branch: string, baseSha: string): Promise<void> {
  return writeRef(at, markOf(branch), baseSha, 'anything');
}

/**
 * The commit that muster made the branch from, if another branch or tag contains it too: then it is not work done on
 * this branch.
 */
export async function heldBase(at: GitDirectory, branch: string): Promise<string[]> {
  const base = await markedBase(at, branch);
  if (base === undefined) return [];
  const args = ['for-each-ref', `--contains=${base}`, '--format=%(refname)', 'refs/heads', 'refs/tags'];
  const holders = (await repositoryGit(at, args)).stdout.toString('utf8').split('\n').filter(Boolean);
  return holders.some((ref) => !ref.startsWith('refs/heads/muster/')) ? [base] : [];
}

/** The branch's tip; undefined if there is no such branch. */
export function branchTip(at: GitDirectory, branch: string): Promise<string | undefined> {
  return commitOf(at, `refs/heads/${branch}`);
}

/** The commit that muster made the branch from, and the branch's tip, read in one call; undefined for what is not there. */
export async function branchState(
  at: GitDirectory,
  branch: string,
): Promise<{ readonly base: string | undefined; readonly tip: string | undefined }> {
  const [base, tip] = await commitsOf(at, [markOf(branch), `refs/heads/${branch}`]);
  return { base, tip };
}

/** Makes the branch, or adopts it if muster made it earlier. @throws ALREADY_EXISTS when it is another's. */
export async function ensureBranch(at: GitDirectory, branch: string, base: string | undefined): Promise<CreatedBranch> {
  const { base: marked, tip } = await branchState(at, branch);
  if (tip !== undefined) {
    if (marked !== undefined) return { baseSha: marked, isNew: false };
    throw new Failure('BRANCH_EXISTS', `the branch ${branch} exists already and is not muster's: choose another name`);
  }
  const { sha } = await resolveBase(at, base);
  for (const ref of [markOf(branch), `refs/heads/${branch}`]) await removeStaleRefLock(at.commonDir, ref);
  await writeRef(at, markOf(branch), sha, 'anything');
  await createBranch(at, branch, sha);
  return { baseSha: sha, isNew: true };
}

/** Removes a branch whose tip is still as expected, its settings, and then the mark that muster made it. */
export async function dropBranch(at: GitDirectory, branch: string, tip: string): Promise<void> {
  await writeRef(at, `refs/heads/${branch}`, undefined, { sha: tip });
  await forgetBranch(at, branch);
}

/** Removes what a branch that is gone leaves behind: its settings, and the mark that muster made it. */
export async function forgetBranch(at: GitDirectory, branch: string): Promise<void> {
  // Git exits with 128 if there are no settings, and settings left behind do no harm.
  const args = ['config', '--local', '--remove-section', `branch.${branch}`];
  await repositoryGit(at, args, { exitCodes: [0, 1, 5, 128, 255] });
  await writeRef(at, markOf(branch), undefined, 'anything');
}

async function createBranch(at: GitDirectory, branch: string, sha: BaseCommit['sha']): Promise<void> {
  try {
    await writeRef(at, `refs/heads/${branch}`, sha, 'absent');
  } catch (error) {
    // A git that was killed may have made the branch already; the mark then lets the next call adopt it.
    if (!(error instanceof GitError) || error.exitCode === undefined) throw error;
    await writeRef(at, markOf(branch), undefined, 'anything');
    throw new Failure('BRANCH_EXISTS', `the branch ${branch} cannot be created: ${error.stderrTail}`, { cause: error });
  }
}
