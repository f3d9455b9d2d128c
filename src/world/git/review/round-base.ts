import { Failure } from '#contract/failure.ts';
import { requireRefName } from '../branch-name.ts';
import type { GitDirectory } from '../git-directory.ts';
import { commitOf, repositoryGit } from '../repository.ts';
import { branchOf } from '../worktree-entry.ts';

/** What a round's base and a standing are measured against. */
export interface BaseQuestion {
  /** Named for this round: refused where there is no such commit. */
  readonly base?: string | undefined;
  /** The base branch of the agent's workflow. */
  readonly usualBase?: string | undefined;
  /** The commit that the agent's branch was made from. */
  readonly startSha?: string | undefined;
}

/**
 * The commit that a round is read against: the newest one that HEAD shares with the base branch, here or on origin, or
 * with the commit that the work started from. The branch that is checked out is no base of itself, unless it was named.
 * Undefined where the repository has no commit.
 */
export async function roundBase(
  at: GitDirectory,
  question: BaseQuestion,
  headSha: string | undefined,
): Promise<string | undefined> {
  const refs = await baseRefs(at, question);
  if (headSha === undefined) return refs[0]?.sha;
  const { base, startSha } = question;
  const ownRef = base === undefined ? `refs/heads/${await branchOf(at.gitDir)}` : undefined;
  const started = base === undefined && startSha !== undefined ? await existing(at, [startSha]) : [];
  const candidates = distinct([...refs.filter(({ ref }) => ref !== ownRef), ...started].map(({ sha }) => sha));
  if (candidates.length === 0) return headSha;
  const { stdout, exitCode } = await repositoryGit(at, ['merge-base', headSha, ...candidates], { exitCodes: [0, 1] });
  return exitCode === 0 ? stdout.toString('utf8').trim() : candidates[0];
}

interface Tip {
  readonly ref: string;
  readonly sha: string;
}

async function baseRefs(at: GitDirectory, { base, usualBase }: BaseQuestion): Promise<Tip[]> {
  if (base !== undefined) {
    requireRefName(base, 'base');
    const branches = await existing(at, branchRefs(base));
    const named = branches.length > 0 ? branches : await existing(at, [base]);
    if (named.length > 0) return named;
    const message = `there is no commit "${base}" in ${at.commonDir}: name a branch, a tag or a commit, or fetch it`;
    throw new Failure('failed_precondition', message);
  }
  const checkedOut = await branchOf(at.commonDir);
  const groups = [
    usualBase === undefined ? [] : branchRefs(usualBase),
    ['refs/remotes/origin/HEAD', ...branchRefs('main'), ...branchRefs('master')],
    checkedOut === undefined ? [] : [`refs/heads/${checkedOut}`],
  ];
  for (const refs of groups) {
    const found = await existing(at, refs);
    if (found.length > 0) return found;
  }
  return [];
}

function branchRefs(name: string): string[] {
  return [`refs/remotes/origin/${name}`, `refs/heads/${name}`];
}

async function existing(at: GitDirectory, refs: readonly string[]): Promise<Tip[]> {
  const shas = await Promise.all(refs.map((ref) => commitOf(at, ref)));
  return refs.flatMap((ref, index) => {
    const sha = shas[index];
    return sha === undefined ? [] : [{ ref, sha }];
  });
}

function distinct(shas: readonly string[]): string[] {
  return [...new Set(shas)];
}
