import { constants } from 'node:fs';
import { access, opendir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { isDirectory } from './directory.ts';

/** How many directories one answer lists, and how many entries of a folder are read for it. */
const max = { listed: 50, read: 20_000 } as const;

/** Directories whose paths begin with a given one, and whether there are more. */
export interface ListedDirectories {
  readonly directories: { readonly path: string; readonly repository: boolean }[];
  readonly more: boolean;
}

/**
 * Lists the directories whose paths begin with this one, ordered by name. The part after its last `/` is the beginning
 * of a name, and `~/` is kept. Hidden ones are listed only if that part begins with a dot. Nothing in `closed` is
 * listed.
 * @throws INVALID_ARGUMENT when it is not absolute, FAILED_PRECONDITION when the folder is missing, closed or
 *   unreadable
 */
export async function listDirectories(beginning: string, closed: string): Promise<ListedDirectories> {
  const cut = beginning.lastIndexOf('/') + 1;
  const [folder, name] = [beginning.slice(0, cut), beginning.slice(cut)];
  const path = await readableFolder(folder, closed);
  const names = await namesIn(path, name);
  const listed = names.toSorted((one, other) => one.localeCompare(other)).slice(0, max.listed);
  const directories = await Promise.all(
    listed.map(async (one) => ({ path: `${folder}${one}`, repository: await isThere(join(path, one, '.git')) })),
  );
  return { directories, more: names.length > listed.length };
}

/** Resolves a folder that may be listed. */
async function readableFolder(folder: string, closed: string): Promise<string> {
  const expanded = folder.startsWith('~/') ? join(homedir(), folder.slice(1)) : folder;
  if (!isAbsolute(expanded) || expanded.includes('\0')) {
    throw new Failure('INVALID_PATH', `path is ${quoted(folder)}: begin it with / or ~/`, { field: 'path' });
  }
  const path = await realpath(expanded).catch(() => undefined);
  const isOpen = path !== undefined && (await isListable(path));
  if (path === undefined || !isOpen)
    throw new Failure('DIRECTORY_MISSING', `there is no directory ${quoted(folder)} that muster may read`, {
      field: 'path',
    });
  const own = await realpath(closed).catch(() => closed);
  if (path === own || path.startsWith(`${own}/`))
    throw new Failure('INVALID_PATH', `${quoted(folder)} belongs to muster: no agent is launched there`, {
      field: 'path',
    });
  return path;
}

async function isListable(path: string): Promise<boolean> {
  if (!(await isDirectory(path))) return false;
  return access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function namesIn(path: string, beginning: string): Promise<string[]> {
  const names: string[] = [];
  let read = 0;
  for await (const entry of await opendir(path)) {
    read += 1;
    if (read > max.read) break;
    const isWanted = entry.name.startsWith(beginning) && (beginning.startsWith('.') || !entry.name.startsWith('.'));
    // A name with unprintable characters cannot be chosen.
    if (!isWanted || /\p{C}/u.test(entry.name)) continue;
    const isOne = entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(join(path, entry.name))));
    if (isOne) names.push(entry.name);
  }
  return names;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
