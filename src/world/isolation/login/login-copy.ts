import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { openFolder } from '#world/file/open-folder.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import type { LoginContent } from './login-entries.ts';
import { type LoginRead, readLogin, replaceLogin, wholenessOf } from './login-file.ts';

/** A file with which a CLI signs in: the person's, and an isolated agent's copy of it. */
const Login = z.object({
  own: z.string(),
  copy: z.string(),
  /** The SHA-256 digest of what both held when they were last made the same, those of its parts, and those of earlier ones. */
  synced: z.string().optional(),
  entries: z.record(z.string(), z.string()).readonly().optional(),
  replaced: z.record(z.string(), z.array(z.string()).readonly()).readonly().optional(),
});
export type Login = z.infer<typeof Login>;

/** The logins that were recorded in an agent's private folder; none if a power failure left half a record. */
export function recordedLogins(root: string): Login[] {
  const file = join(root, 'logins.json');
  const content = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  return wholenessOf(file, content) === 'whole' ? z.array(Login).parse(JSON.parse(content.toString())) : [];
}

/** Records the logins of an agent in its private folder, for the next process. */
export function recordLogins(root: string, logins: readonly Login[]): void {
  writePrivateFile(join(root, 'logins.json'), JSON.stringify(logins), { isDurable: false });
}

/** Reads the person's file. */
export function readOwn(own: string): Promise<LoginRead> {
  return readLogin(own, true);
}

/** Reads an agent's copy. It is unusable also if the agent put a link on the way. */
export async function readCopy({ copy }: Login): Promise<LoginRead> {
  await using folder = await openFolder(dirname(copy));
  return folder === undefined ? 'unusable' : await readLogin(join(folder.at, basename(copy)), false);
}

/** Replaces the person's file as it was read. Returns whether it was still the same. */
export function replaceOwn(own: string, read: LoginRead, content: LoginContent): boolean {
  return replaceLogin(realpathSync(own), read, content, { isDurable: true });
}

/** Replaces an agent's copy as it was read, unless the agent put a link on the way. Returns whether it was the same. */
export async function replaceCopy({ copy }: Login, read: LoginRead, content: LoginContent): Promise<boolean> {
  await using folder = await openFolder(dirname(copy));
  return folder === undefined || replaceLogin(join(folder.at, basename(copy)), read, content, { isDurable: false });
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
