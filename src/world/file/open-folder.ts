import { constants } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { platform } from 'node:process';

/** A folder that is held open. Operations through the path `at` affect this folder, even if its own path changes. */
export interface OpenFolder extends AsyncDisposable {
  /** A path to the folder by its descriptor or inode number, valid while it is held. */
  readonly at: string;
  /** Whether it is still at the path where it was opened. */
  isInPlace(): Promise<boolean>;
}

/**
 * Opens and holds the folder at a path without links.
 * @returns undefined if the path has no folder, or contains a link
 */
export async function openFolder(path: string): Promise<OpenFolder | undefined> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    () => undefined,
  );
  if (folder === undefined) return undefined;
  const { dev, ino } = await folder.stat({ bigint: true });
  const at = platform === 'darwin' ? `/.vol/${dev}/${ino}` : `/proc/self/fd/${folder.fd}`;
  // On Linux the link shows the folder's current path; on macOS realpath resolves the inode number.
  const place = (): Promise<string> => (platform === 'darwin' ? realpath(at) : readlink(at));
  const isInPlace = async (): Promise<boolean> => (await place().catch(() => undefined)) === path;
  if (await isInPlace()) return { at, isInPlace, [Symbol.asyncDispose]: () => folder.close() };
  await folder.close();
  return undefined;
}
