import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { noneIfMissing } from '#world/file/directory.ts';
import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { hasAll, submoduleGit, tips } from './submodule-work.ts';

interface AbsentSubmodulesOptions {
  /** The git directories of the submodules that are checked out. */
  readonly present: ReadonlySet<string>;
  /** The checkout whose submodules were copied. */
  readonly original: string | undefined;
}

/**
 * The submodules that are not checked out any more, but whose repositories a worktree's git directory still has, with
 * commits that are on none of their remotes: as after `git submodule deinit`, or on a commit without them. The
 * repositories are deleted with that directory. By name, in UTF-8.
 */
export async function absentSubmodules(
  worktree: GitDirectory,
  { present, original }: AbsentSubmodulesOptions,
): Promise<readonly string[]> {
  const source = original === undefined ? undefined : await findGitDirectory(original);
  const folder = join(worktree.gitDir, 'modules');
  const holding: string[] = [];
  for (const store of await storesIn(folder, present)) {
    const name = relative(folder, store.gitDir);
    if ((await hasUnsaved(store)) && !(await isCopied(store, source, name))) holding.push(name);
  }
  return holding;
}

/** The repositories in a folder, at any depth: the name of a submodule may have slashes, and it may have submodules. */
async function storesIn(folder: string, present: ReadonlySet<string>): Promise<GitDirectory[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(noneIfMissing);
  const found: GitDirectory[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || present.has(path)) continue;
    const at = await findGitDirectory(path);
    const isStore = at?.gitDir === path;
    if (isStore) found.push(at);
    found.push(...(await storesIn(isStore ? join(path, 'modules') : path, present)));
  }
  return found;
}

/** Whether a repository has commits, or stashes, that are on none of its remotes. */
async function hasUnsaved(store: GitDirectory): Promise<boolean> {
  // A branch without a commit has no HEAD.
  const head = (await readHeadSha(store)) === undefined ? [] : ['HEAD'];
  const args = ['rev-list', '--count', '--all', ...head, '--not', '--remotes', '--'];
  const { stdout } = await submoduleGit(store, args);
  return Number.parseInt(stdout.toString('utf8'), 10) > 0;
}

/** Whether it was copied from a checkout whose submodule of that name has everything. */
async function isCopied(store: GitDirectory, source: GitDirectory | undefined, name: string): Promise<boolean> {
  if (source === undefined) return false;
  const headSha = await readHeadSha(store);
  const names = [...(await tips(store)), ...(headSha === undefined ? [] : [headSha])];
  for (const dir of [source.gitDir, source.commonDir]) {
    const path = join(dir, 'modules', name);
    const at = await findGitDirectory(path);
    if (at?.gitDir === path && (await hasAll(at, names))) return true;
  }
  return false;
}
