import type { IndexedFile } from '#world/git/checkout/checkout-index.ts';
import { committedFile, type IndexContent } from '#world/git/checkout/own-index.ts';
import { splitPaths } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { transformedFiles, turnBack } from '#world/git/snapshot/transformed-files.ts';

const walkMs = 120_000;

/**
 * Tracked files of a checkout that differ from its commit, on the disk or staged. Latin-1 paths; the shadow's index
 * must be filled.
 */
export async function changedPaths(
  shadow: Shadow,
  workTree: string,
  { indexed, committed }: IndexContent,
): Promise<string[]> {
  const onDisk = await changedFiles(shadow, workTree, committed);
  return [...new Set([...onDisk, ...(indexed === undefined ? [] : staged(indexed, committed))])];
}

/** The paths at which the checkout's own index differs from the commit. */
function staged(indexed: readonly IndexedFile[], committed: IndexContent['committed']): string[] {
  const names = new Set(indexed.map(({ path }) => path));
  const dropped = [...committed.keys()].filter((path) => !names.has(path));
  const changed = indexed.filter(({ path, mode, oid }) => committed.get(path) !== `${mode} ${oid}`);
  return [...changed.map(({ path }) => path), ...dropped];
}

async function changedFiles(shadow: Shadow, workTree: string, committed: IndexContent['committed']): Promise<string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=dirty'];
  const listed = splitPaths((await shadow.git(args, { timeoutMs: walkMs })).stdout).map((line) => line.slice(3));
  const transformed = await transformedFiles(shadow, workTree, []);
  await turnBack(shadow, transformed, committed);
  const stored = (await shadow.entries()).map(committedFile);
  const same = stored.filter(([path, entry]) => committed.get(path) === entry).map(([path]) => path);
  const isSame = new Set(same);
  const unchanged = new Set(transformed.turnedBack.filter((path) => isSame.has(path)));
  return [...listed.filter((path) => !unchanged.has(path)), ...transformed.opaque];
}
