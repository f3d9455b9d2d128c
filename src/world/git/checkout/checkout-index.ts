import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { joinPaths, splitPaths } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';

const maxBytes = 512 * 1024 * 1024;

/** An entry of the checkout's own index. muster does not read its stat data, which may be forged. */
export interface IndexedFile {
  /** Latin-1. */
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
  /** 0, or 1 to 3 after a merge conflict. */
  readonly stage: string;
  /** Whether it is marked as left out by a sparse checkout. */
  readonly skipped: boolean;
}

/** The entries of the checkout's own index, read from a copy; undefined if git cannot read it. */
export async function indexedFiles(shadow: Shadow, at: GitDirectory): Promise<IndexedFile[] | undefined> {
  const file = await readRegularFile(join(at.gitDir, 'index'), { maxBytes, followLinks: true });
  if (file === undefined) return undefined;
  const copy = join(shadow.dir, 'checkout-index');
  await writeFile(copy, file.content);
  for (const name of await readdir(at.gitDir)) {
    if (!/^sharedindex\.[0-9a-f]+$/.test(name)) continue;
    const part = await readRegularFile(join(at.gitDir, name), { maxBytes, followLinks: true });
    if (part !== undefined) await writeFile(join(shadow.dir, name), part.content);
  }
  const env = { GIT_INDEX_FILE: copy };
  const listed = await shadow.git(['ls-files', '-t', '--stage', '-z'], { env, exitCodes: [0, 128] });
  return listed.exitCode === 0 ? splitPaths(listed.stdout).map(fileOf) : undefined;
}

/** The tree of the staged files; undefined if there are conflicts or if objects are missing. */
export async function stagedTree(shadow: Shadow, files: readonly IndexedFile[]): Promise<string | undefined> {
  if (files.some(({ stage }) => stage !== '0')) return undefined;
  // Built from the entries: a tree that the index has cached for a folder may differ from its entries.
  const env = { GIT_INDEX_FILE: join(shadow.dir, 'staged-index') };
  await shadow.git(['update-index', '-z', '--index-info'], { env, input: entryLines(files) });
  const { stdout, exitCode } = await shadow.git(['write-tree'], { env, exitCodes: [0, 128] });
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined;
}

/** Entries as input for `update-index --index-info`. */
export function entryLines(files: readonly IndexedFile[]): Buffer {
  return joinPaths(files.map(({ mode, oid, path }) => `${mode} ${oid}\t${path}`));
}

function fileOf(line: string): IndexedFile {
  const tab = line.indexOf('\t');
  const [tag = '', mode = '', oid = '', stage = ''] = line.slice(0, tab).split(' ');
  return { path: line.slice(tab + 1), mode, oid, stage, skipped: tag === 'S' };
}
