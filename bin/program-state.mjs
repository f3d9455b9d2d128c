// What muster's own program is bundled of, and whether the bundle is still good. Every command asks, so it looks at no
// file's content, and uses Node's own modules only.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** Where bundles stand, each in its own folder: a process that runs may load more of its own long after it started. */
export const bundles = join(root, 'dist', 'program');
/** Names the bundle that counts, and the size and time of each file that it was made of. */
export const stampFile = join(bundles, 'stamp.json');
/** What a bundle is made of beside the modules in it. */
export const makers = ['bin/program.mjs', 'package-lock.json'];

/** Whether the sources are here, of which a bundle can be made. */
export const hasSources = existsSync(join(root, 'src', 'main.ts'));

/**
 * The bundle of the sources as they are; undefined if there is none. Without sources, the bundle that is there counts.
 */
export function builtProgram() {
  try {
    const { folder, sources } = JSON.parse(readFileSync(stampFile, 'utf8'));
    const main = join(bundles, folder, 'main.js');
    const isGood = !hasSources || sources.every(([path, mark]) => markOf(path) === mark);
    return isGood && existsSync(main) ? main : undefined;
  } catch {
    return undefined;
  }
}

/** What tells a file from what it was before: its size and the time of its last change. */
export function markOf(path) {
  const { mtimeMs, size } = statSync(join(root, path));
  return `${size} ${mtimeMs}`;
}
