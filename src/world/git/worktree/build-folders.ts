import { lstat, rename, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { withMutex } from '#world/concurrency/mutex.ts';
import { resolveDirectory } from '#world/file/directory.ts';
import { type DiskUse, diskUse } from '#world/file/disk-use.ts';
import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { fillIndex } from '#world/git/checkout/own-index.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { bytesOf, shownPath } from '#world/git/repository/git-paths.ts';
import { openShadow } from '#world/git/repository/shadow.ts';
import { listFiles } from '#world/git/snapshot/hidden-files.ts';
import { isBuildFolder } from '#world/git/snapshot/ignored-files.ts';
import { overPlainFiles } from '#world/git/snapshot/plain-lists.ts';
import { asidePath, inodeOf, movedAside } from './moved-aside.ts';
import { removeTree } from './remove-tree.ts';
import { removalReadMs } from './worktree-inspection.ts';

/** A build folder of a worktree, and how much space it takes. */
export interface BuildFolder {
  /** Relative to the worktree. */
  readonly path: string;
  readonly bytes: number;
}

/** A folder that stays, and why. */
export interface KeptFolder {
  readonly path: string;
  readonly why: string;
}

export interface BuildFolders {
  readonly removable: readonly BuildFolder[];
  readonly kept: readonly KeptFolder[];
}

/**
 * Finds the folders of a worktree that git ignores as a whole and that have one of these names, or one of these paths
 * relative to the worktree. A folder with a tracked file in it is not ignored as a whole. A link, a folder that has a
 * repository in it, and one on another file system are kept.
 * @throws Failure when git cannot list the ignored files
 */
export async function findBuildFolders(worktree: string, names: readonly string[]): Promise<BuildFolders> {
  const at = names.length === 0 ? undefined : await findGitDirectory(worktree);
  if (at?.workTree === undefined || (await resolveDirectory(worktree)) !== at.workTree)
    return { removable: [], kept: [] };
  const headSha = await readHeadSha(at);
  const checkout = { ...at, workTree: at.workTree };
  await using shadow = await openShadow(checkout, { headSha, index: 'shadow', objects: 'discard' });
  const look = async () => {
    await fillIndex(shadow, checkout, headSha, 'everything');
    return (await listFiles(shadow, ['--others', '--ignored', '--directory'])).lines;
  };
  const ignored = await overPlainFiles(shadow, checkout, look, removalReadMs);
  const removable: BuildFolder[] = [];
  const kept: KeptFolder[] = [];
  for (const path of ignored.filter((one) => isBuildFolder(one, names) || isBuildFolder(`${one}/`, names))) {
    const shown = shownPath(path.replace(/\/$/, ''));
    const absolute = bytesOf(worktree, path.replace(/\/$/, '')).toString('utf8');
    const why = path.endsWith('/') ? undefined : 'it is a link or a file';
    const use = why === undefined ? await useOf(absolute) : undefined;
    if (use?.against !== undefined || why !== undefined) kept.push({ path: shown, why: why ?? use?.against ?? '' });
    else if (use !== undefined) removable.push({ path: shown, bytes: use.bytes });
  }
  return { removable, kept };
}

/**
 * Deletes build folders that `findBuildFolders` returns, looking at each again. What an interrupted call moved aside is
 * deleted first. A folder that something writes a repository into meanwhile is moved back.
 * @param confirm called right before each is moved aside. @throws Failure to leave it
 */
export async function removeBuildFolders(
  worktree: string,
  names: readonly string[],
  confirm: () => Promise<void>,
): Promise<{ readonly removed: readonly BuildFolder[]; readonly kept: readonly KeptFolder[] }> {
  const path = await resolveDirectory(worktree);
  return withMutex(path, async () => {
    const left = await removeLeft(path);
    const { removable, kept } = await findBuildFolders(path, names);
    const removed = [...left.removed];
    const stay = [...left.kept, ...kept];
    for (const folder of removable) {
      await confirm();
      const why = await removeOne(path, folder.path);
      if (why === undefined) removed.push(folder);
      else stay.push({ path: folder.path, why });
    }
    return { removed, kept: stay };
  });
}

/** Deletes one folder; returns why it stays. */
async function removeOne(worktree: string, path: string): Promise<string | undefined> {
  const from = join(worktree, path);
  // A link on the way there would lead out of the worktree.
  if ((await resolveDirectory(dirname(from))) !== dirname(from)) return 'it was replaced meanwhile';
  const before = await lstat(from, { bigint: true }).catch(() => undefined);
  if (before === undefined || !before.isDirectory()) return 'it was replaced meanwhile';
  const aside = await asidePath(worktree, from);
  await rename(from, aside);
  const against = (await inodeOf(aside)) === before.ino ? (await useOf(aside)).against : 'it was replaced meanwhile';
  if (against !== undefined) {
    await rename(aside, from);
    return against;
  }
  await removeTree(aside);
  return undefined;
}

/** Deletes what an interrupted removal moved aside. */
async function removeLeft(worktree: string): Promise<{ removed: BuildFolder[]; kept: KeptFolder[] }> {
  const removed: BuildFolder[] = [];
  const kept: KeptFolder[] = [];
  for (const aside of await movedAside(worktree)) {
    const { bytes, against } = await useOf(aside);
    const path = relative(worktree, aside);
    if (against !== undefined) {
      kept.push({ path, why: against });
      continue;
    }
    await removeTree(aside);
    removed.push({ path, bytes });
  }
  return { removed, kept };
}

/** What a folder takes, and what speaks against deleting it. */
async function useOf(folder: string): Promise<DiskUse & { readonly against?: string }> {
  const use = await diskUse(folder);
  if (use.repository !== undefined)
    return { ...use, against: `it has a repository in it: ${shownPath(use.repository) || '.'}` };
  if (use.unreadable !== undefined)
    return { ...use, against: `it cannot be read: ${shownPath(use.unreadable) || '.'}` };
  const [own, above] = [await stat(folder), await stat(dirname(folder))];
  if (use.otherDevice || own.dev !== above.dev) return { ...use, against: 'it has another file system mounted in it' };
  return use;
}
