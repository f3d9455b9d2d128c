import { constants } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { platform } from 'node:process';

/** A folder that is held open: what is done by the path `at` is done in it, whatever is under its name by then. */
export interface HeldFolder extends AsyncDisposable {
  /** Leads to the folder itself, by its descriptor or its number, for as long as it is held. */
  readonly at: string;
  /** Whether it still is where it was when it was opened. */
  isInPlace(): Promise<boolean>;
}

/**
 * Holds the folder at a path without links.
 * @returns undefined if there is none, or a link is on the way
 */
export async function holdFolder(path: string): Promise<HeldFolder | undefined> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    () => undefined,
  );
  if (folder === undefined) return undefined;
  const { dev, ino } = await folder.stat({ bigint: true });
  const at = platform === 'darwin' ? `/.vol/${dev}/${ino}` : `/proc/self/fd/${folder.fd}`;
  // Linux says where the folder itself is by now; macOS resolves the number to the same.
  const place = (): Promise<string> => (platform === 'darwin' ? realpath(at) : readlink(at));
  const isInPlace = async (): Promise<boolean> => (await place().catch(() => undefined)) === path;
  if (await isInPlace()) return { at, isInPlace, [Symbol.asyncDispose]: () => folder.close() };
  await folder.close();
  return undefined;
}
