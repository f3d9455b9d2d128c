import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { checkFamilyName, isFamilyName } from '#world/terminal/family-name.ts';

const ending = '.sock';
/** The maximum length of a socket's path: systems refuse paths of more than about 104 bytes. */
const maxPathBytes = 99;
const maxNameBytes = 40 + ending.length;
/** The file in a state folder's `run` that names its short folder, if that is not the usual one. */
const noteName = 'sockets.at';
/** The file in a short folder that names the `run` folder whose sockets it holds. */
const ownerName = 'run-folder';
const uid = process.getuid?.() ?? 0;

/**
 * The folder for a state folder's sockets: `runDir` itself, or a short one under /tmp if a socket's path would become
 * too long. Its name is derived from `runDir`, or recorded there if another user has taken the default name. Nothing is
 * created.
 */
export function socketFolder(runDir: string): string {
  const folder = resolve(runDir);
  if (isShort(folder)) return folder;
  return notedIn(folder) ?? defaultFolder(folder);
}

/** Makes the folder for sockets, mode 0700, and returns it. @throws FAILED_PRECONDITION when that is impossible */
export async function makeSocketFolder(runDir: string): Promise<string> {
  const folder = resolve(runDir);
  if (isShort(folder)) {
    await makePrivate(folder);
    return folder;
  }
  const noted = notedIn(folder);
  if (noted !== undefined) return noted;
  const defaultPath = defaultFolder(folder);
  try {
    await keepSocketFolder(defaultPath);
    noteOwner(defaultPath, folder);
    return defaultPath;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  await makePrivate(folder);
  const made = await mkdtemp(join('/tmp', `muster-${uid}-`));
  noteOwner(made, folder);
  writePrivateFile(join(folder, noteName), `${made}\n`);
  return made;
}

/** Removes a short folder that holds no sockets any more. */
export async function removeSocketFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.some((name) => name !== ownerName)) return;
  await rm(join(folder, ownerName), { force: true });
  // Another process may just have put a socket there.
  await rmdir(folder).catch(() => undefined);
}

/**
 * Creates a folder of sockets again if it was removed meanwhile.
 * @throws FAILED_PRECONDITION when that is impossible
 */
export async function keepSocketFolder(folder: string): Promise<void> {
  for (const one of foldersOf(folder)) await makePrivate(one);
}

/**
 * Checks, before a socket is used, that its folder still belongs to the person: a folder in /tmp may be removed, and
 * then created again by any user. While it belongs to the person, no other user can move it. A missing folder is not an
 * error: there is nothing to use then.
 * @throws FAILED_PRECONDITION when it is another user's
 */
export function checkSocketFolder(folder: string): void {
  if (!isOwnSocketFolder(folder)) throw foreign(folder);
}

/** Whether a folder of sockets belongs to the person, or does not exist. */
export function isOwnSocketFolder(folder: string): boolean {
  return foldersOf(folder).every((one) => {
    const found = lstatSync(one, { throwIfNoEntry: false });
    return found === undefined || (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0);
  });
}

/** The folder itself and, if it is in /tmp, before it the person's own folder that contains it. */
function foldersOf(folder: string): string[] {
  const parent = dirname(folder);
  return dirname(parent) === '/tmp' && basename(parent) === `muster-${uid}` ? [parent, folder] : [folder];
}

/** The socket of a family. @throws INVALID_ARGUMENT when the family's name is not an id. */
export function socketOf(folder: string, name: string): string {
  checkFamilyName(name);
  return join(folder, name + ending);
}

function isShort(folder: string): boolean {
  return Buffer.byteLength(folder) + 1 + maxNameBytes <= maxPathBytes;
}

function defaultFolder(folder: string): string {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return join('/tmp', `muster-${uid}`, hash);
}

function noteOwner(folder: string, runDir: string): void {
  const [path, text] = [join(folder, ownerName), `${runDir}\n`];
  if (readPrivateFile(path) !== text) writePrivateFile(path, text);
}

/** The recorded folder, if it exists and belongs to the person. */
function notedIn(folder: string): string | undefined {
  const noted = readPrivateFile(join(folder, noteName))?.trim() ?? '';
  if (!/^\/tmp\/muster-\d+-[A-Za-z0-9]{6}$/.test(noted)) return undefined;
  const found = lstatSync(noted, { throwIfNoEntry: false });
  return found?.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0 ? noted : undefined;
}

/**
 * Makes a folder that no other user may enter. An existing one that others can write to is refused.
 * @throws FAILED_PRECONDITION when it is another user's.
 */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const found = await lstat(folder).catch(() => undefined);
  const isShared = dirname(folder) === '/tmp' && found !== undefined && (found.mode & 0o022) !== 0;
  if (!found?.isDirectory() || found.uid !== uid || isShared) throw foreign(folder);
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

function foreign(folder: string): Failure {
  return new Failure(
    'FILE_NOT_PRIVATE',
    `${folder} belongs to another user, can be written by others or is not a folder; remove it or set MUSTER_HOME`,
  );
}

/** The families of the sockets in the folder, alive or not, and of the `sockets` given in addition. */
export async function familiesIn(folder: string, sockets: readonly string[]): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const all = new Set([...names, ...sockets.map((socket) => basename(socket))]);
  return [...all]
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter(isFamilyName);
}
