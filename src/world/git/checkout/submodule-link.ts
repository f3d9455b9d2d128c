import { lstat, opendir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { bytesOf } from '#world/git/repository/git-paths.ts';

/** The mode of a link to a submodule's commit. */
export const linkMode = '160000';

/**
 * Whether a submodule link is genuine: its folder is a repository, empty or missing. Below any other link git would
 * hide all files.
 */
export async function isGenuineLink(workTree: string, path: string): Promise<boolean> {
  const folder = bytesOf(workTree, path);
  const stats = await lstat(folder).catch(() => undefined);
  if (!stats?.isDirectory() || (await isEmpty(folder))) return true;
  return (await submoduleAt(workTree, path)) !== undefined;
}

/** The repository of a submodule's folder; undefined if it is not one, or if the path contains a link. */
export async function submoduleAt(
  workTree: string,
  path: string,
): Promise<(GitDirectory & { readonly workTree: string }) | undefined> {
  const bytes = bytesOf(workTree, path);
  const folder = bytes.toString('utf8');
  // A name that is not UTF-8 would be read as that of another folder.
  if (!bytes.equals(Buffer.from(folder))) return undefined;
  const at = await findGitDirectory(folder);
  return at?.workTree === folder ? { ...at, workTree: folder } : undefined;
}

/** Whether a folder is in a nested repository, which git does not enter. */
export async function isNested(workTree: string, folder: string): Promise<boolean> {
  for (let at = folder; at !== '.'; at = dirname(at)) {
    if ((await submoduleAt(workTree, at)) !== undefined) return true;
  }
  return false;
}

/** Whether a folder is empty. An unreadable one counts as not empty. */
async function isEmpty(folder: Buffer): Promise<boolean> {
  try {
    await using entries = await opendir(folder);
    return (await entries.read()) === null;
  } catch {
    return false;
  }
}
