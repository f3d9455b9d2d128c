// The sources of muster's bundle, and whether the bundle is up to date. Every command checks that, so it reads only file
// stats, and imports only Node's own modules.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** The folder of bundles. Each has its own, because a running process may load more of its bundle long after its start. */
export const bundles = join(root, 'dist', 'program');
/** Names the current bundle, and the size and time of each file that it was made from. */
export const stampFile = join(bundles, 'stamp.json');
/** Files that a bundle depends on in addition to its modules. */
export const makers = ['bin/program.mjs', 'package-lock.json'];

/** Whether the sources are present. */
export const hasSources = existsSync(join(root, 'src', 'main.ts'));

/**
 * The main module of a bundle that matches the sources; undefined if there is none. Without sources, any bundle matches.
 */
export function builtProgram() {
  try {
    const { folder, sources } = JSON.parse(readFileSync(stampFile, 'utf8'));
    const main = join(bundles, folder, 'main.js');
    const isCurrent = !hasSources || sources.every(([path, version]) => versionOf(path) === version);
    return isCurrent && existsSync(main) ? main : undefined;
  } catch {
    return undefined;
  }
}

/** Identifies the version of a file: its size and the time of its last change. */
export function versionOf(path) {
  const { mtimeMs, size } = statSync(`${root}${path}`);
  return `${size} ${mtimeMs}`;
}
