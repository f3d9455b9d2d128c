import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { isSameFile } from '#world/file/same-file.ts';
import { bytesOf } from '#world/git/repository/git-paths.ts';

/** Folders and files that tools regenerate on their own, so that no work is lost with them. */
const regenerated = new Set([
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
const regeneratedSuffix = /\.(pyc|pyo|o|a|so|class|tsbuildinfo|egg-info|log|swp|tmp)$/;

/** An ignored folder with more files than this is listed as a whole. */
const maxFiles = 200;

/** The copied files among the ignored files of a worktree. */
export interface CopiedFiles {
  /** Files that muster copied in and that are unchanged since. Latin-1. */
  readonly copied: ReadonlySet<string>;
  /**
   * The checkout from which ignored files were copied. A file that is the same there is not work that could be lost.
   */
  readonly original?: string | undefined;
  /** The folders that tools make again, by name or path, instead of the usual ones. */
  readonly buildFolders?: readonly string[] | undefined;
}

/** Ignored or untracked paths, in Latin-1. */
interface SortedPaths {
  /** Those that are neither copied nor made again by tools. A folder (trailing slash) is searched. */
  readonly own: readonly string[];
  /** The folders that tools make again, with a trailing slash. */
  readonly generated: readonly string[];
}

/** Sorts ignored or untracked paths by whether tools make them again. */
export async function sortIgnored(
  workTree: string,
  paths: readonly string[],
  known: CopiedFiles,
): Promise<SortedPaths> {
  const generated = paths.filter((path) => isRegenerated(path, known) && path.endsWith('/'));
  const found = await Promise.all(
    paths
      .filter((path) => !isRegenerated(path, known))
      .map(async (path) => {
        if (path.endsWith('/')) return within(workTree, path, known, generated);
        return (await isCopy(workTree, path, known)) ? [] : [path];
      }),
  );
  return { own: found.flat(), generated };
}

/** Whether a path, with a trailing slash if it is a folder, is one of the build folders with these names or paths. */
export function isBuildFolder(path: string, names: readonly string[]): boolean {
  return path.endsWith('/') && (names.includes(basename(path)) || names.includes(path.slice(0, -1)));
}

function isRegenerated(path: string, { buildFolders }: CopiedFiles): boolean {
  if (buildFolders !== undefined) return isBuildFolder(path, buildFolders);
  const name = basename(path);
  return regenerated.has(name) || regeneratedSuffix.test(name);
}

async function isCopy(workTree: string, path: string, { copied, original }: CopiedFiles): Promise<boolean> {
  return copied.has(path) || (original !== undefined && isSameFile(bytesOf(workTree, path), bytesOf(original, path)));
}

/** The paths in a folder that tools do not make again; `generated` gets the folders that they do. */
async function within(workTree: string, folder: string, known: CopiedFiles, generated: string[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of await readdir(bytesOf(workTree, at), {
      withFileTypes: true,
      encoding: 'latin1',
    })) {
      const path = `${at}${entry.name}`;
      if (isRegenerated(entry.isDirectory() ? `${path}/` : path, known)) {
        if (entry.isDirectory()) generated.push(`${path}/`);
        continue;
      }
      if (entry.isDirectory()) waiting.push(`${path}/`);
      else if (!(await isCopy(workTree, path, known))) found.push(path);
      if (found.length > maxFiles) return [folder];
    }
  }
  return found;
}
