import { type FileHandle, open } from 'node:fs/promises';
import { Failure } from '#contract/failure.ts';

/** Maximum size of a bundle's header, in bytes. */
const maxHeaderBytes = 4 * 1024 ** 2;

/**
 * Opens a bundle at the beginning of its pack, which `git index-pack` can check like a push; a
 * fetch from a bundle checks nothing.
 * @throws FAILED_PRECONDITION when it is not a bundle
 */
export async function openBundlePack(path: string): Promise<FileHandle> {
  const file = await open(path, 'r');
  try {
    const start = Buffer.alloc(maxHeaderBytes);
    const { bytesRead } = await file.read(start, 0, maxHeaderBytes, 0);
    const end = start.subarray(0, bytesRead).indexOf('\n\nPACK');
    if (end < 0 || !start.toString('latin1', 0, 5).startsWith('# v')) {
      throw new Failure('PACKAGE_REFUSED', 'what the other host sent is not a git bundle');
    }
    // Reading from the current position moves it: git continues from there.
    for (let left = end + 2; left > 0; ) left -= (await file.read(start, 0, left, null)).bytesRead;
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The commits that a repository must have before the bundle can be used. */
export async function prerequisitesOf(path: string): Promise<readonly string[]> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0);
    const start = buffer.subarray(0, bytesRead);
    const header = start.toString('latin1', 0, Math.max(0, start.indexOf('\n\nPACK')));
    return [...header.matchAll(/^-([0-9a-f]{40,64})\b/gm)].map(([, sha = '']) => sha);
  } finally {
    await file.close();
  }
}
