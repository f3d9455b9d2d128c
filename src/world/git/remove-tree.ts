import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Deletes a folder with everything in it, also what its owner made read-only, as Go does with its modules. */
export async function removeTree(path: string): Promise<void> {
  // Something that still runs may put a file into a folder between its emptying and its end.
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(path, options);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await unlock(path);
    await rm(path, options);
  }
}

/** What goes away meanwhile, by a deletion that failed elsewhere and still runs, needs none. */
async function unlock(folder: string): Promise<void> {
  try {
    await chmod(folder, 0o700);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) await unlock(join(folder, entry.name));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
