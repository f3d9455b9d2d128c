import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { checkFamilyName, isFamilyName } from '../terminal/family-name.ts';

const ending = '.sock';
/** Systems allow a socket's path about 104 bytes; longer ones are refused, so the line is drawn before. */
const mostPathBytes = 99;
const mostNameBytes = 40 + ending.length;

/**
 * The folder that a state folder's sockets are in: the folder itself, or a short one under /tmp that is always the same
 * for it, where a socket's path would become too long.
 */
export function socketFolder(runDir: string): string {
  const folder = resolve(runDir);
  if (Buffer.byteLength(folder) + 1 + mostNameBytes <= mostPathBytes) return folder;
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return join('/tmp', `muster-${process.getuid?.() ?? 0}`, hash);
}

/** The socket of a family. @throws Failure `invalid_argument` where the family is not named by an id. */
export function socketOf(folder: string, name: string): string {
  checkFamilyName(name);
  return join(folder, name + ending);
}

/** Makes a folder that nobody else may enter. @throws Failure `failed_precondition` where it is somebody else's. */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const own = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !own)
    throw new Failure(
      'failed_precondition',
      `${folder} belongs to somebody else or is no folder; remove it or set MUSTER_HOME`,
    );
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** Makes the folder for sockets, mode 0700, also its parent where that is the short one under /tmp. */
export async function makeSocketFolder(folder: string): Promise<void> {
  const short = folder.startsWith('/tmp/muster-') ? join(folder, '..') : undefined;
  if (short !== undefined && short !== '/tmp') await makePrivate(short);
  await makePrivate(folder);
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
