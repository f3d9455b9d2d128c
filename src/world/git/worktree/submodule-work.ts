import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { submoduleAt } from '#world/git/checkout/submodule-link.ts';
import type { GitOptions, GitOutput } from '#world/git/repository/git.ts';
import type { CheckoutFolder, GitDirectory } from '#world/git/repository/git-directory.ts';
import { repositoryGit } from '#world/git/repository/repository.ts';

/** A submodule of a worktree, and the one that it was made from. */
export interface CarriedSubmodule {
  readonly at: CheckoutFolder;
  readonly headSha: string;
  readonly original: CheckoutFolder;
}

/**
 * The submodule of a worktree at a path, if it was copied from a checkout and has no commit that the original lacks.
 * Its files may differ.
 * @param original the checkout that the worktree was made from
 * @param path in Latin-1
 */
export async function carriedSubmodule(
  worktree: CheckoutFolder,
  original: string,
  path: string,
): Promise<CarriedSubmodule | undefined> {
  const at = await submoduleAt(worktree.workTree, path);
  const source = await submoduleAt(original, path);
  if (at === undefined || source === undefined || !at.gitDir.startsWith(`${worktree.gitDir}/modules/`))
    return undefined;
  const headSha = await readHeadSha(at);
  if (headSha === undefined || !(await hasAll(source, [headSha, ...(await tips(at))]))) return undefined;
  return { at, headSha, original: source };
}

/** Runs git on the repository of a submodule. It need not be checked out. */
export function submoduleGit(
  at: GitDirectory,
  args: readonly string[],
  options: Pick<GitOptions, 'input'> = {},
): Promise<GitOutput> {
  // git enters the folder that the repository names, even if it needs none.
  return repositoryGit(at, args, { ...options, env: { GIT_WORK_TREE: at.gitDir } });
}

/** The commits and other objects that the references of a repository name. */
export async function tips(at: GitDirectory): Promise<string[]> {
  const { stdout } = await submoduleGit(at, ['for-each-ref', '--format=%(objectname)']);
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Whether a repository has all of these objects. */
export async function hasAll(at: GitDirectory, names: readonly string[]): Promise<boolean> {
  const input = names.map((name) => `${name}\n`).join('');
  const { stdout } = await submoduleGit(at, ['cat-file', '--batch-check=%(objecttype)'], { input });
  return !stdout
    .toString('utf8')
    .split('\n')
    .some((line) => line.endsWith(' missing'));
}
