import { Failure } from '#contract/failure.ts';
import { requireRefName } from '#world/git/repository/branch-name.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { commitsOf, repositoryGit } from '#world/git/repository/repository.ts';
import { branchOf } from '#world/git/worktree/worktree-entry.ts';

/** What determines the base of a round or of a review status. */
export interface BaseQuestion {
  /** The base that was given for this round: refused if there is no such commit. */
  readonly base?: string | undefined;
  /** The base branch of the agent's workflow. */
  readonly defaultBase?: string | undefined;
  /** The commit that the agent's branch was made from. */
  readonly startSha?: string | undefined;
}

/**
 * The existing tips, here and on origin, of the base branch: the one given for the round, else the workflow's. If
 * neither is given, it is the repository's main branch, or the branch that the main checkout is on if no branch has a
 * usual name. Empty if the base that was given is gone.
 */
export async function baseTips(at: GitDirectory, question: BaseQuestion): Promise<readonly string[]> {
  return distinct((await baseRefs(at, question)).map(({ sha }) => sha));
}

/**
 * The commit that a round is compared with: the newest one that HEAD shares with the base branch, here or on origin, or
 * with the commit that the work started from. The branch that is checked out is not its own base, unless it was given
 * as one. Undefined if the repository has no commit. `isShared` says whether HEAD contains the commit: unrelated work
 * is compared with the base's tip.
 * @throws FAILED_PRECONDITION when the base given for this round does not exist
 */
export async function roundBase(
  at: GitDirectory,
  question: BaseQuestion,
  headSha: string | undefined,
): Promise<{ readonly sha: string; readonly isShared: boolean } | undefined> {
  const refs = await baseRefs(at, question);
  if (refs.length === 0 && question.base !== undefined) throw noSuchBase(at, question.base);
  if (headSha === undefined) return refs[0] && { sha: refs[0].sha, isShared: false };
  const { base, startSha } = question;
  const ownRef = base === undefined ? `refs/heads/${await branchOf(at.gitDir)}` : undefined;
  const started = base === undefined && startSha !== undefined ? await existing(at, [startSha]) : [];
  const candidates = distinct([...refs.filter(({ ref }) => ref !== ownRef), ...started].map(({ sha }) => sha));
  const [first] = candidates;
  if (first === undefined) return { sha: headSha, isShared: true };
  const { stdout, exitCode } = await repositoryGit(at, ['merge-base', headSha, ...candidates], { exitCodes: [0, 1] });
  const isShared = exitCode === 0;
  return { sha: isShared ? stdout.toString('utf8').trim() : first, isShared };
}

function noSuchBase({ commonDir }: GitDirectory, base: string): Failure {
  const said = `there is no commit "${base}" in ${commonDir}`;
  return new Failure('COMMIT_NOT_FOUND', `${said}: name a branch, a tag or a commit, or fetch it`);
}

interface Tip {
  readonly ref: string;
  readonly sha: string;
}

async function baseRefs(at: GitDirectory, { base, defaultBase }: BaseQuestion): Promise<Tip[]> {
  if (base !== undefined) {
    requireRefName(base, 'base');
    const branches = await existing(at, branchRefs(base));
    return branches.length > 0 ? branches : existing(at, [base]);
  }
  const checkedOut = await branchOf(at.commonDir);
  const defaultRefs = [
    ['refs/remotes/origin/HEAD', ...branchRefs('main'), ...branchRefs('master')],
    checkedOut === undefined ? [] : [`refs/heads/${checkedOut}`],
  ];
  // If a workflow names its base branch, use no other one.
  const groups = defaultBase === undefined ? defaultRefs : [branchRefs(defaultBase)];
  const tips = await branchTips(at, groups.flat());
  for (const refs of groups) {
    const found = refs.flatMap((ref) => tips.filter((tip) => tip.ref === ref));
    if (found.length > 0) return found;
  }
  return [];
}

/** The tips of those branches that exist, read in one call. */
async function branchTips(at: GitDirectory, refs: readonly string[]): Promise<Tip[]> {
  const { stdout } = await repositoryGit(at, ['for-each-ref', '--format=%(refname) %(objectname)', '--', ...refs]);
  return stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([ref = '', sha = '']) => (refs.includes(ref) ? [{ ref, sha }] : []));
}

function branchRefs(name: string): string[] {
  return [`refs/remotes/origin/${name}`, `refs/heads/${name}`];
}

async function existing(at: GitDirectory, refs: readonly string[]): Promise<Tip[]> {
  const shas = await commitsOf(at, refs);
  return refs.flatMap((ref, index) => {
    const sha = shas[index];
    return sha === undefined ? [] : [{ ref, sha }];
  });
}

function distinct(shas: readonly string[]): string[] {
  return [...new Set(shas)];
}
