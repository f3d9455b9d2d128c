import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { checkFamilyName, isFamilyName } from '#world/terminal/family-name.ts';

const ending = '.sock';
/** Systems allow a socket's path about 104 bytes; longer ones are refused, so the line is drawn before. */
const maxPathBytes = 99;
const maxNameBytes = 40 + ending.length;
/** The file of a state folder's `run` that names its short folder, if that is not the usual one. */
const noteName = 'sockets.at';
const uid = process.getuid?.() ?? 0;

/**
 * The folder that a state folder's sockets are in: the folder itself, or, if a socket's path would become too long, a
 * short one under /tmp. That has always the same name for it, or one that is noted in the folder, if somebody else has
 * taken the usual name. Nothing is made.
 */
export function socketFolder(runDir: string): string {
  const folder = resolve(runDir);
  if (isShort(folder)) return folder;
  return notedIn(folder) ?? defaultFolder(folder);
}

/** Makes the folder for sockets, mode 0700, and returns it. @throws FAILED_PRECONDITION when it cannot be had */
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
    return defaultPath;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  await makePrivate(folder);
  const made = await mkdtemp(join('/tmp', `muster-${uid}-`));
  writePrivateFile(join(folder, noteName), `${made}\n`);
  return made;
}

/** Makes a folder of sockets again if it was removed meanwhile. @throws FAILED_PRECONDITION */
export async function keepSocketFolder(folder: string): Promise<void> {
  for (const one of foldersOf(folder)) await makePrivate(one);
}

/**
 * Looks, before a socket is used, whether its folder is still nobody else's: what is in /tmp may be removed, and made
 * again by anybody. A folder of the person's own there can be moved by nobody else. If there is none, there is nothing
 * to use.
 * @throws FAILED_PRECONDITION when it is somebody else's
 */
export function checkSocketFolder(folder: string): void {
  if (!isOwnSocketFolder(folder)) throw foreign(folder);
}

/** Whether a folder of sockets is the person's own, or not there. */
export function isOwnSocketFolder(folder: string): boolean {
  return foldersOf(folder).every((one) => {
    const found = lstatSync(one, { throwIfNoEntry: false });
    return found === undefined || (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0);
  });
}

/** The folder itself, and before it the one of this person's that it is in, if that is in /tmp. */
function foldersOf(folder: string): string[] {
  const parent = dirname(folder);
  return dirname(parent) === '/tmp' && basename(parent) === `muster-${uid}` ? [parent, folder] : [folder];
}

/** The socket of a family. @throws INVALID_ARGUMENT when the family is not named by an id. */
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

/** The folder that is noted, as long as it is there and nobody else's. */
function notedIn(folder: string): string | undefined {
  const noted = readPrivateFile(join(folder, noteName))?.trim() ?? '';
  if (!/^\/tmp\/muster-\d+-[A-Za-z0-9]{6}$/.test(noted)) return undefined;
  const found = lstatSync(noted, { throwIfNoEntry: false });
  return found?.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0 ? noted : undefined;
}

/**
 * Makes a folder that nobody else may enter. One that others could write to may hold what they put there.
 * @throws FAILED_PRECONDITION when it is somebody else's.
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
    `${folder} belongs to somebody else, can be written by others or is not a folder; remove it or set MUSTER_HOME`,
  );
}

/** The families of the sockets that are in the folder, alive or not, and of those that are given beside them. */
export async function familiesIn(folder: string, sockets: readonly string[]): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const all = new Set([...names, ...sockets.map((socket) => basename(socket))]);
  return [...all]
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter(isFamilyName);
}
