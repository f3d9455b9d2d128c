// The sources of muster's bundle, and whether the bundle is up to date. Every command checks that, so it reads only file
// stats, and takes only Node's own modules: by `require`, since an `import` of node:fs loads all that its exports lead to.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { existsSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');

export const root = fileURLToPath(new URL('..', import.meta.url));
/** The folder of bundles. Each has its own, because a running process may load more of its bundle long after its start. */
export const bundles = join(root, 'dist', 'program');
/** Names the current bundle, and the size and time of each file that it was made from. */
export const stampFile = join(bundles, 'stamp.json');
/** Files that a bundle depends on in addition to its modules. */
export const makers = ['bin/program.mjs', 'bin/bundle.mjs', 'package-lock.json'];
/** The modules with which processes and threads start. */
export const processEntries = {
  main: 'src/main.ts',
  'checkpoint-worker': 'src/store/sqlite/checkpoint-worker.ts',
  'schema-worker': 'src/world/schema/schema-worker.ts',
};
/** The folder of the bundle in the npm package, which has no sources. */
export const packaged = join(root, 'dist', 'package', 'program');
/** Names the files that it was made from. */
export const packageStampFile = join(root, 'dist', 'package-stamp.json');

/** Whether the sources are present. */
export const hasSources = existsSync(join(root, 'src', 'main.ts'));

/** The main module of a bundle that matches the sources; undefined if there is none. */
export function builtProgram() {
  const { folder } = currentStamp(stampFile) ?? {};
  const main = join(bundles, folder ?? '', 'main.cjs');
  return folder !== undefined && existsSync(main) ? main : undefined;
}

/** What a stamp says, if each of its sources is as it was when the stamp was made; undefined otherwise. */
export function currentStamp(file) {
  try {
    const stamp = JSON.parse(readFileSync(file, 'utf8'));
    return stamp.sources.every(([path, version]) => versionOf(path) === version) ? stamp : undefined;
  } catch {
    return undefined;
  }
}

/** Identifies the version of a file: its size and the time of its last change. */
export function versionOf(path) {
  const { mtimeMs, size } = statSync(`${root}${path}`);
  return `${size} ${mtimeMs}`;
}
