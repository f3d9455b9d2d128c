import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { openFolder } from '#world/file/open-folder.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { readRegularFile } from '#world/file/regular-file.ts';

/** A file with which a CLI signs in: the person's, and an isolated agent's copy of it. */
const Login = z.object({
  own: z.string(),
  copy: z.string(),
  /** The SHA-256 digest of what both held when they were last made the same. */
  synced: z.string().optional(),
});
export type Login = z.infer<typeof Login>;

/** What a file of a login holds. */
export interface LoginState {
  readonly content: Uint8Array;
  readonly digest: string;
  /** In milliseconds since 1970. */
  readonly writtenAt: number;
}

/** The maximum size of such a file, in bytes. */
const maxBytes = 1024 * 1024;

/** The logins that were recorded in an agent's private folder; none if a power failure left half a record. */
export function recordedLogins(root: string): Login[] {
  const file = join(root, 'logins.json');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return isWhole(file, text) ? z.array(Login).parse(JSON.parse(text)) : [];
}

/** Records the logins of an agent in its private folder, for the next process. */
export function recordLogins(root: string, logins: readonly Login[]): void {
  writePrivateFile(join(root, 'logins.json'), JSON.stringify(logins), { isDurable: false });
}

/** What the person's file holds; undefined if it is missing or is just being written. */
export function readOwn(own: string): Promise<LoginState | undefined> {
  return stateOf(own, true);
}

/** What an agent's copy holds; undefined also if the agent put a link on the way. */
export async function readCopy({ copy }: Login): Promise<LoginState | undefined> {
  await using folder = await openFolder(dirname(copy));
  return folder && (await stateOf(join(folder.at, basename(copy)), false));
}

/** Writes the person's file. Readers find the old or the new text. */
export function writeOwn(own: string, content: Uint8Array): void {
  writePrivateFile(realpathSync(own), content);
}

/** Writes an agent's copy, unless the agent put a link on the way. */
export async function writeCopy({ copy }: Login, content: Uint8Array): Promise<void> {
  await using folder = await openFolder(dirname(copy));
  if (folder !== undefined) writePrivateFile(join(folder.at, basename(copy)), content, { isDurable: false });
}

/** Removes an agent's copy, unless the agent put a link on the way. */
export async function removeCopy({ copy }: Login): Promise<void> {
  await using folder = await openFolder(dirname(copy));
  if (folder !== undefined) await rm(join(folder.at, basename(copy)), { force: true, recursive: true });
}

/** Makes the folders that a copy is in, of an agent that does not run, as far as the agent put no link on the way. */
export function makeFoldersOf(root: string, { copy }: Login): void {
  const parts = relative(root, dirname(copy)).split(sep);
  for (const [count] of parts.entries()) {
    const path = join(root, ...parts.slice(0, count + 1));
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(path, { mode: 0o700 });
    else if (!found.isDirectory()) return;
  }
}

async function stateOf(path: string, followLinks: boolean): Promise<LoginState | undefined> {
  const found = await readRegularFile(path, { maxBytes, followLinks });
  if (found === undefined || !isWhole(basename(path), found.content.toString())) return undefined;
  const { content, stats } = found;
  // Byte by byte: some logins are not text.
  const digest = createHash('sha256').update(content).digest('hex');
  return { content, digest, writtenAt: stats.mtimeMs };
}

/** Whether a file was read as a whole. A CLI may write it in place. */
function isWhole(name: string, text: string): boolean {
  if (text.trim() === '' || !name.endsWith('.json')) return text.trim() !== '';
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
