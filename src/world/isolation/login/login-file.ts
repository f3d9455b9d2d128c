import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createPrivateFile } from '#world/file/private-file.ts';
import { readRegularFile } from '#world/file/regular-file.ts';
import { syncFolder } from '#world/file/synced-folder.ts';
import { type LoginContent, loginContent } from './login-entries.ts';

/** A file of a login as it was read. */
export interface LoginState extends LoginContent {
  readonly version: Pick<Stats, 'ino' | 'mtimeMs' | 'size'>;
}

/**
 * A file of a login, or why nothing is known of it: nothing is there, it is just being written, or it is a link, a folder
 * or half a file that nobody completes.
 */
export type LoginRead = LoginState | 'missing' | 'unfinished' | 'unusable';

/** The maximum size of such a file, in bytes. */
const maxBytes = 1024 * 1024;
/** How long writing such a file may take, in milliseconds. */
const writingMs = 1_000;
/** How long a file that shows no end must have stood still to be read, in milliseconds. */
const standingMs = 100;

/** Reads a file of a login. */
export async function readLogin(path: string, followLinks: boolean): Promise<LoginRead> {
  const found = await readRegularFile(path, { maxBytes, followLinks });
  const now = (followLinks ? statSync : lstatSync)(path, { throwIfNoEntry: false });
  if (now === undefined) return 'missing';
  if (found === undefined) return 'unusable';
  const { content, stats } = found;
  if (!isVersion(now, stats)) return 'unfinished';
  const age = Date.now() - stats.mtimeMs;
  const isWithin = (ms: number): boolean => age >= 0 && age < ms;
  const wholeness = wholenessOf(basename(path), content);
  if (wholeness === 'part') return isWithin(writingMs) ? 'unfinished' : 'unusable';
  if (wholeness === 'unknown' && isWithin(standingMs)) return 'unfinished';
  return { ...loginContent(content, stats.mtimeMs), version: stats };
}

/**
 * Replaces a file of a login, unless somebody has written it since it was read: what was just renewed is kept. Readers
 * find the old or the new text, with the time at which its writer wrote it. Returns whether it was replaced.
 */
export function replaceLogin(
  path: string,
  read: LoginRead,
  { content, writtenAt }: LoginContent,
  { isDurable }: { readonly isDurable: boolean },
): boolean {
  const [draft, kept] = ['new', 'old'].map((end) => `${path}.${randomBytes(6).toString('hex')}.${end}`) as [
    string,
    string,
  ];
  try {
    const write = (file: string): void => createPrivateFile(file, content, { isDurable, modifiedAt: writtenAt });
    write(draft);
    if (!putInPlace({ path, draft, kept, write }, read)) return false;
    if (isDurable) syncFolder(dirname(path));
    return true;
  } finally {
    for (const file of [draft, kept]) rmSync(file, { force: true });
  }
}

interface Files {
  readonly path: string;
  readonly draft: string;
  readonly kept: string;
  /** Makes a file with the new text. */
  readonly write: (file: string) => void;
}

function putInPlace({ path, draft, kept, write }: Files, read: LoginRead): boolean {
  if (read === 'unfinished') return false;
  if (read === 'missing') return isMade(() => (linked(draft, path) ? undefined : write(path)));
  if (read === 'unusable') {
    renameSync(draft, path);
    return true;
  }
  const isAsRead = (file: string): boolean => {
    const now = lstatSync(file, { throwIfNoEntry: false });
    return now !== undefined && isVersion(now, read.version);
  };
  const isKept = linked(path, kept);
  if (!isAsRead(path)) return false;
  renameSync(draft, path);
  if (!isKept || isAsRead(kept)) return true;
  // Its writer began to write it just before: it gets its own file back.
  renameSync(kept, path);
  return false;
}

/**
 * Whether a file has a further name now. Some file systems do not support that.
 * @throws EEXIST when something is there
 */
function linked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (isExisting(error)) throw error;
    return false;
  }
}

/** Whether a file is made: not if somebody else has just made it. */
function isMade(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (isExisting(error)) return false;
    throw error;
  }
}

const isExisting = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

function isVersion(one: LoginState['version'], other: LoginState['version']): boolean {
  return one.ino === other.ino && one.mtimeMs === other.mtimeMs && one.size === other.size;
}

/** Whether a file was read as a whole. A CLI may write it in place. */
export function wholenessOf(name: string, content: Uint8Array): 'whole' | 'part' | 'unknown' {
  const text = Buffer.from(content).toString();
  if (text.trim() === '') return 'part';
  if (!name.endsWith('.json')) return 'unknown';
  try {
    JSON.parse(text);
    return 'whole';
  } catch {
    return 'part';
  }
}
