import { randomUUID } from 'node:crypto';
import { chmod, readdir, rename, rm } from 'node:fs/promises';

/**
 * A folder whose path is longer goes to the top, in bytes: macOS takes no path of more than 1,024, and no name is over
 * 255.
 */
const longPath = 600;

/**
 * Deletes a folder with everything in it, also what its owner made read-only, as Go does with its modules, and what
 * lies too deep for a path to lead there.
 */
export async function removeTree(path: string): Promise<void> {
  // Something that still runs may put a file into a folder between its emptying and its end.
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

/** Unlocks all folders below one, and takes up to the top those that lie deep. */
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

/** What goes away meanwhile, by a deletion that failed elsewhere and still runs, needs nothing. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
