import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { requireClosed } from '#contract/access/secret-file.ts';
import { syncFolder } from './synced-folder.ts';

/**
 * Writes a small file atomically that only its owner may read (0600). Readers find the old or the new text, even after
 * a crash. Once this has returned, the new text survives a power failure, unless `isDurable` is false, which is faster.
 */
export function writePrivateFile(path: string, content: string | Uint8Array, { isDurable = true } = {}): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    createPrivateFile(draft, content, { isDurable });
    renameSync(draft, path);
    if (isDurable) syncFolder(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Makes a small file that only its owner may read (0600). It follows no link at its path.
 * @param options.modifiedAt the time at which the file says that it was written, in milliseconds since 1970; now if absent
 * @throws EEXIST when something is there
 */
export function createPrivateFile(
  path: string,
  content: string | Uint8Array,
  { isDurable = true, modifiedAt }: { readonly isDurable?: boolean; readonly modifiedAt?: number } = {},
): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    if (modifiedAt !== undefined) futimesSync(file, new Date(), new Date(modifiedAt));
    if (isDurable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The text of a small file, or undefined if there is none. */
export function readPrivateFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The text of a small file with a secret, or undefined if there is none.
 * @throws FAILED_PRECONDITION when other users may open it
 */
export function readSecretFile(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const text = readFileSync(file, 'utf8');
    const { mode, uid } = fstatSync(file);
    requireClosed({ path, mode, uid, reader: process.getuid?.() });
    return text;
  } finally {
    closeSync(file);
  }
}

/** Whether something exists at a path. */
export function isThere(path: string): boolean {
  return existsSync(path);
}

/** Removes a file, if it exists. */
export function removePrivateFile(path: string): void {
  rmSync(path, { force: true });
}
