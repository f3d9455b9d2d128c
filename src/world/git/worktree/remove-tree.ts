import { randomUUID } from 'node:crypto';
import { chmod, readdir, rename, rm } from 'node:fs/promises';

/**
 * A folder with a longer path, in bytes, is moved to the top before it is deleted: macOS takes no path of more than
 * 1,024, and a name has up to 255.
 */
const longPath = 600;

/**
 * Deletes a folder with everything in it, including what its owner made read-only, as Go does with its modules, and
 * what is too deep for any path to reach.
 */
export async function removeTree(path: string): Promise<void> {
  // A program that still runs may put a file into a folder after it was emptied and before it is deleted.
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(path, options);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    const root = Buffer.from(path);
    await unlock(root);
    await makeReachable(root, root);
    await rm(path, options);
  }
}

/** Makes all folders below one writable, and moves those that are too deep to the top. */
async function makeReachable(root: Buffer, folder: Buffer): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(unlessGone);
  for (const entry of entries ?? []) {
    if (!entry.isDirectory()) continue;
    const path = Buffer.concat([folder, slash, entry.name]);
    await unlock(path);
    const isLong = path.length > longPath;
    const at = isLong ? Buffer.concat([root, slash, Buffer.from(randomUUID())]) : path;
    if (isLong) await rename(path, at).catch(unlessGone);
    await makeReachable(root, at);
  }
}

const slash = Buffer.from('/');

async function unlock(folder: Buffer): Promise<void> {
  await chmod(folder, 0o700).catch(unlessGone);
}

/** Ignores that something is gone already: a deletion that failed elsewhere may still be running. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
