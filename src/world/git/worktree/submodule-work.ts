import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { submoduleAt } from '#world/git/checkout/submodule-link.ts';
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

async function tips(at: GitDirectory): Promise<string[]> {
  const { stdout } = await repositoryGit(at, ['for-each-ref', '--format=%(objectname)']);
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

async function hasAll(at: GitDirectory, names: readonly string[]): Promise<boolean> {
  const input = names.map((name) => `${name}\n`).join('');
  const { stdout } = await repositoryGit(at, ['cat-file', '--batch-check=%(objecttype)'], { input });
  return !stdout
    .toString('utf8')
    .split('\n')
    .some((line) => line.endsWith(' missing'));
}
