import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { bytesOf } from '#world/git/repository/git-paths.ts';

/** Folders and files that tools make again on their own, so that nobody misses them. */
const remade = new Set([
  'node_modules',
  'bower_components',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
  '.nyc_output',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.output',
  '.turbo',
  '.parcel-cache',
  '.cache',
  '.vite',
  '.angular',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
  '.eggs',
  '.gradle',
  '.terraform',
  '.dart_tool',
  '.eslintcache',
  '.DS_Store',
  'tmp',
]);
const remadeSuffix = /\.(pyc|pyo|o|a|so|class|tsbuildinfo|egg-info|log|swp|tmp)$/;

/** How many files an ignored folder may hold before it is named as a whole. */
const maxFiles = 200;

/**
 * Of the paths that git leaves out of its view (ignored, or untracked), those that nobody put there on purpose are
 * dropped: what tools make again, and what was copied in. A folder (trailing slash) is looked through. Paths are
 * Latin-1.
 */
export async function precious(
  workTree: string,
  paths: readonly string[],
  copied: ReadonlySet<string>,
): Promise<string[]> {
  const found = await Promise.all(
    paths
      .filter((path) => !isRemade(path))
      .map((path) => (path.endsWith('/') ? within(workTree, path, copied) : [path])),
  );
  return found.flat().filter((path) => !copied.has(path));
}

function isRemade(path: string): boolean {
  const name = basename(path);
  return remade.has(name) || remadeSuffix.test(name);
}

async function within(workTree: string, folder: string, copied: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of await readdir(bytesOf(workTree, at), {
      withFileTypes: true,
      encoding: 'latin1',
    })) {
      const path = `${at}${entry.name}`;
      if (isRemade(path) || copied.has(path)) continue;
      if (entry.isDirectory()) waiting.push(`${path}/`);
      else found.push(path);
      if (found.length > maxFiles) return [folder];
    }
  }
  return found;
}
