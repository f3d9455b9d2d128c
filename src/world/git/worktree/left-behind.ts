import type { LeftBehind } from '#contract/wire/left-behind.ts';
import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { fillIndex } from '#world/git/checkout/own-index.ts';
import { submoduleAt } from '#world/git/checkout/submodule-link.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import { openShadow } from '#world/git/repository/shadow.ts';
import { listFiles } from '#world/git/snapshot/hidden-files.ts';
import { overPlainFiles } from '#world/git/snapshot/plain-lists.ts';
import { submodulePaths } from '#world/git/snapshot/snapshot.ts';
import { notCarried, type WorktreesFolder } from './carried-ignored.ts';
import { changedPaths } from './changed-paths.ts';

type PathList = LeftBehind['changed'];

/** How many paths of each kind are named. */
const maxNamed = 3;
/** How many files that are not copied are named. */
const maxNotCopied = 10;
const none: PathList = { count: 0, names: [] };
const nothing = { changed: none, untracked: none, ignored: none, submodules: none };

/**
 * The files of the checkout around a folder that a new worktree will lack; undefined if there is no checkout. Nothing
 * that the repository configures is run, and nothing is written.
 * @throws FAILED_PRECONDITION when a file cannot be read, or it takes longer than `limitMs`
 */
export async function leftBehind(folder: string, limitMs: number): Promise<LeftBehind | undefined> {
  const at = await findGitDirectory(folder);
  if (at?.workTree === undefined) return undefined;
  const { workTree } = at;
  const headSha = await readHeadSha(at);
  if (headSha === undefined) return undefined;
  await using shadow = await openShadow(at, { headSha, index: 'shadow', objects: 'discard' });
  const look = async (): Promise<LeftBehind> => {
    const index = await fillIndex(shadow, { ...at, workTree }, headSha, 'changed');
    const added = (path: string): boolean => !index.committed.has(path);
    const links = await submodulePaths(shadow, workTree);
    const repositories = await Promise.all(links.map((path) => submoduleAt(workTree, path)));
    const changed = await changedPaths(shadow, workTree, index);
    const untracked = (await listFiles(shadow, ['--others'])).lines;
    const ignored = (await listFiles(shadow, ['--others', '--ignored', '--directory'])).lines;
    return {
      changed: named(changed.filter((path) => !added(path) && !links.includes(path))),
      untracked: named([...changed.filter(added), ...untracked.filter((path) => !path.endsWith('/'))]),
      ignored: named(ignored),
      submodules: named(links.filter((_, index) => repositories[index] !== undefined)),
    };
  };
  return await overPlainFiles(shadow, { ...at, workTree }, look, limitMs);
}

/**
 * The files that a new worktree will lack even with the changes of the checkout around a folder; undefined if there is
 * no checkout.
 * @throws FAILED_PRECONDITION when a file cannot be read, or it takes longer than `limitMs`
 */
export async function leftByChanges(
  folder: string,
  own: WorktreesFolder,
  limitMs: number,
): Promise<LeftBehind | undefined> {
  const at = await findGitDirectory(folder);
  if (at?.workTree === undefined) return undefined;
  const all = await notCarried({ ...at, workTree: at.workTree }, own, limitMs);
  return { ...nothing, notCopied: all.slice(0, maxNotCopied), notCopiedCount: all.length };
}

function named(paths: readonly string[]): PathList {
  const all = [...new Set(paths)].sort();
  return { count: all.length, names: all.slice(0, maxNamed).map(shownPath) };
}
