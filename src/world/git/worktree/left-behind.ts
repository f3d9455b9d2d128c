import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { fillIndex } from '#world/git/checkout/own-index.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import { openShadow } from '#world/git/repository/shadow.ts';
import { listFiles } from '#world/git/snapshot/hidden-files.ts';
import { overPlainFiles } from '#world/git/snapshot/plain-lists.ts';
import { submodulePaths } from '#world/git/snapshot/snapshot.ts';
import { changedPaths } from './changed-paths.ts';

/** Paths of one kind: how many there are, and the first ones. */
export interface NamedPaths {
  readonly count: number;
  readonly names: readonly string[];
}

/** What a checkout holds and a worktree made from its commit does not. */
export interface LeftBehind {
  /** Tracked files that differ from the commit. */
  readonly changed: NamedPaths;
  /** Files that git does not know. */
  readonly untracked: NamedPaths;
  /** Ignored files; a folder that is ignored as a whole counts once, with a slash at its end. */
  readonly ignored: NamedPaths;
  /** Submodules that are checked out. */
  readonly submodules: NamedPaths;
}

/** How many paths of each kind are named. */
const maxNamed = 3;

/**
 * What a new worktree will lack of the checkout around a folder; undefined if there is none. Nothing that the
 * repository configures is run, and nothing is written.
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
    const submodules = await submodulePaths(shadow, workTree);
    const changed = await changedPaths(shadow, workTree, index);
    const untracked = (await listFiles(shadow, ['--others'])).lines;
    const ignored = (await listFiles(shadow, ['--others', '--ignored', '--directory'])).lines;
    return {
      changed: named(changed.filter((path) => !added(path) && !submodules.includes(path))),
      untracked: named([...changed.filter(added), ...untracked.filter((path) => !path.endsWith('/'))]),
      ignored: named(ignored),
      submodules: named(submodules),
    };
  };
  return await overPlainFiles(shadow, { ...at, workTree }, look, limitMs);
}

function named(paths: readonly string[]): NamedPaths {
  const all = [...new Set(paths)].sort();
  return { count: all.length, names: all.slice(0, maxNamed).map(shownPath) };
}
