import { lstat, opendir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { bytesOf } from '#world/git/repository/git-paths.ts';

/** The mode of a link to a submodule's commit. */
export const linkMode = '160000';

/**
 * Whether git may take a folder for a submodule's: it is its own repository, or has nothing, or is not there. Below any
 * other link git hides all files.
 */
export async function isTrueLink(workTree: string, path: string): Promise<boolean> {
  const folder = bytesOf(workTree, path);
  const stats = await lstat(folder).catch(() => undefined);
  if (!stats?.isDirectory() || (await isEmpty(folder))) return true;
  return (await submoduleAt(workTree, path)) !== undefined;
}

/** The repository whose files a folder of a checkout holds; undefined if it is none, or if a link leads to it. */
export async function submoduleAt(
  workTree: string,
  path: string,
): Promise<(GitDirectory & { readonly workTree: string }) | undefined> {
  const bytes = bytesOf(workTree, path);
  const folder = bytes.toString('utf8');
  // A name that is not UTF-8 would be taken for that of another folder.
  if (!bytes.equals(Buffer.from(folder))) return undefined;
  const at = await findGitDirectory(folder);
  return at?.workTree === folder ? { ...at, workTree: folder } : undefined;
}

/** Whether a folder is in its own repository, which git does not go into. */
export async function isNested(workTree: string, folder: string): Promise<boolean> {
  for (let at = folder; at !== '.'; at = dirname(at)) {
    if ((await submoduleAt(workTree, at)) !== undefined) return true;
  }
  return false;
}

/** One that cannot be read counts as one with something in it. */
async function isEmpty(folder: Buffer): Promise<boolean> {
  try {
    await using entries = await opendir(folder);
    return (await entries.read()) === null;
  } catch {
    return false;
  }
}
