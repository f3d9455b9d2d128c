import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { isSameFile } from '#world/file/same-file.ts';
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

/** What is known of the ignored files of a worktree. */
export interface KnownFiles {
  /** Copied in, and still as they were. Latin-1. */
  readonly copied: ReadonlySet<string>;
  /** The checkout that ignored files were copied from; what is the same there is nobody's work. */
  readonly original?: string | undefined;
}

/**
 * Of the paths that git leaves out of its view (ignored, or untracked), those that nobody put there on purpose are
 * dropped: what tools make again, and what was copied in. A folder (trailing slash) is looked through. Paths are
 * Latin-1.
 */
export async function precious(workTree: string, paths: readonly string[], known: KnownFiles): Promise<string[]> {
  const found = await Promise.all(
    paths
      .filter((path) => !isRemade(path))
      .map(async (path) => {
        if (path.endsWith('/')) return within(workTree, path, known);
        return (await isCopy(workTree, path, known)) ? [] : [path];
      }),
  );
  return found.flat();
}

function isRemade(path: string): boolean {
  const name = basename(path);
  return remade.has(name) || remadeSuffix.test(name);
}

async function isCopy(workTree: string, path: string, { copied, original }: KnownFiles): Promise<boolean> {
  return copied.has(path) || (original !== undefined && isSameFile(bytesOf(workTree, path), bytesOf(original, path)));
}

async function within(workTree: string, folder: string, known: KnownFiles): Promise<string[]> {
  const found: string[] = [];
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of await readdir(bytesOf(workTree, at), {
      withFileTypes: true,
      encoding: 'latin1',
    })) {
      const path = `${at}${entry.name}`;
      if (isRemade(path)) continue;
      if (entry.isDirectory()) waiting.push(`${path}/`);
      else if (!(await isCopy(workTree, path, known))) found.push(path);
      if (found.length > maxFiles) return [folder];
    }
  }
  return found;
}
