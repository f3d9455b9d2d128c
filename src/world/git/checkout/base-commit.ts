import { Failure } from '#contract/failure.ts';
import { requireRefName } from '#world/git/repository/branch-name.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { commitsOf } from '#world/git/repository/repository.ts';

export interface BaseCommit {
  /** The revision that was found. */
  readonly ref: string;
  readonly sha: string;
}

/** The default bases of new work, which it is also compared with. The first one that exists counts. */
const defaultRefs = ['refs/remotes/origin/HEAD', 'refs/remotes/origin/main', 'refs/remotes/origin/master', 'HEAD'];

/**
 * Resolves the start of a branch: the given name (local, else on origin), else the first of origin/HEAD, origin/main,
 * origin/master and the checkout's own HEAD.
 * @throws FAILED_PRECONDITION when there is no such commit
 */
export async function resolveBase(at: GitDirectory, base: string | undefined): Promise<BaseCommit> {
  if (base !== undefined) requireRefName(base, 'base');
  const found = await firstCommit(at, base === undefined ? defaultRefs : [base, `refs/remotes/origin/${base}`]);
  if (found !== undefined) return found;
  const where = at.workTree ?? at.commonDir;
  if (base === undefined) {
    throw new Failure('REPOSITORY_EMPTY', `the repository ${where} has no commit yet: commit something first`);
  }
  throw new Failure(
    'COMMIT_NOT_FOUND',
    `there is no commit "${base}" in ${where}: name a branch, a tag or a commit, or fetch it`,
  );
}

async function firstCommit(at: GitDirectory, candidates: readonly string[]): Promise<BaseCommit | undefined> {
  const commits = await commitsOf(at, candidates);
  return candidates.flatMap((ref, index) => {
    const sha = commits[index];
    return sha === undefined ? [] : [{ ref, sha }];
  })[0];
}
