import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesIn } from '#world/file/files-in.ts';

/**
 * Notes what is in a folder, which may not exist yet.
 * @returns removes what was added since: from the folder, or the folder itself with the ones above it that are new
 */
export function noteContents(folder: string): () => void {
  if (!existsSync(folder)) {
    const made = highestMissing(folder);
    return () => rmSync(made, { recursive: true, force: true });
  }
  const found = readable(folder);
  // The restore says what is wrong with it.
  if (found === undefined) return () => {};
  const known = new Set(found);
  return () => {
    for (const name of filesIn(folder))
      if (!known.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  };
}

/** The names in a folder; undefined if it cannot be read. */
function readable(folder: string): readonly string[] | undefined {
  try {
    return filesIn(folder);
  } catch {
    return undefined;
  }
}

/** The highest folder of a path that does not exist. */
function highestMissing(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? path : highestMissing(above);
}
