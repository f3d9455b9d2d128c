import { lstat, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { bytesOf, joinPaths, splitPaths } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { entryLines, type IndexedFile, indexedFiles } from './checkout-index.ts';
import { IndexMemory } from './index-memory.ts';
import { isGenuineLink, linkMode } from './submodule-link.ts';

/** The time limit for hashing all files of a large checkout on a busy computer, in milliseconds. */
const walkMs = 120_000;

/** `everything`: hash every file. `changed`: only those that changed since muster itself hashed them. */
export type HashMode = 'everything' | 'changed';

/** The content of muster's own index. Paths are Latin-1. */
export interface IndexContent {
  /** The entries of the checkout's own index; undefined if git cannot read it. */
  readonly indexed: readonly IndexedFile[] | undefined;
  /** The mode and object of each path in the checked-out commit. */
  readonly committed: ReadonlyMap<string, string>;
}

const memory = new IndexMemory();

/**
 * Fills the shadow's empty index with the checked-out commit, muster's own stat data, and what the checkout's own index
 * has beyond the commit. From that index it takes only names, and the objects of files that are not on the disk or will
 * be hashed; never its stat data or flags, with which an agent could hide edits.
 */
export async function fillIndex(
  shadow: Shadow,
  at: CheckoutFolder,
  headSha: string | undefined,
  hashing: HashMode,
): Promise<IndexContent> {
  if (headSha !== undefined) await readCommit(shadow, `${at.gitDir} ${at.workTree}`, headSha, hashing);
  const indexed = await indexedFiles(shadow, at);
  const committed = new Map((await shadow.entries()).map(committedFile));
  if (indexed !== undefined) await follow(shadow, at.workTree, indexed, committed);
  const links = [...committed].filter(([, entry]) => entry.startsWith(linkMode)).map(([path]) => path);
  const isTrue = await Promise.all(links.map((path) => isGenuineLink(at.workTree, path)));
  await forget(
    shadow,
    links.filter((_, index) => !isTrue[index]),
  );
  return { indexed, committed };
}

/** Drops the cache of a removed worktree. */
export function forgetHashed(workTree: string): void {
  memory.forgetEndingIn(` ${workTree}`);
}

/** Reads a commit into the shadow's index, with the stat data of every unchanged file. */
async function readCommit(shadow: Shadow, key: string, headSha: string, hashing: HashMode): Promise<void> {
  const file = join(shadow.dir, 'index');
  // The file system's own clock, from a file that the shadow has just written.
  const startedAt = Math.floor((await stat(join(shadow.dir, 'config'))).ctimeMs / 1000);
  const known = hashing === 'changed' ? memory.get(key) : undefined;
  if (known !== undefined) {
    await writeFile(file, known.content);
    await utimes(file, known.writtenAt, known.writtenAt);
  }
  if (known?.headSha !== headSha) {
    await shadow.git(['read-tree', ...(known === undefined ? [] : ['-i', '-m']), headSha], { timeoutMs: walkMs });
  }
  await shadow.git(['update-index', '-q', '--refresh'], { exitCodes: [0, 1], timeoutMs: walkMs });
  const { mtimeMs } = await stat(file);
  const content = await readFile(file);
  memory.put(key, { headSha, content, writtenAt: Math.floor(mtimeMs / 1000) }, startedAt);
}

/** Applies the names of the checkout's own index: added and dropped files, and those that a sparse checkout omits. */
async function follow(
  shadow: Shadow,
  workTree: string,
  indexed: readonly IndexedFile[],
  committed: ReadonlyMap<string, string>,
): Promise<void> {
  const names = new Set(indexed.map(({ path }) => path));
  const beyond = indexed.filter(({ path, skipped }) => !skipped && !committed.has(path));
  const added = await safeEntries(workTree, beyond, committed);
  if (added.length > 0) {
    await shadow.git(['update-index', '-z', '--index-info'], { input: entryLines(added) });
  }
  const dropped = [...committed.keys()].filter((path) => !names.has(path));
  if (dropped.length > 0) await forgetIgnored(shadow, new Set(dropped));
  const skipped = indexed.filter((file) => file.skipped && committed.has(file.path)).map(({ path }) => path);
  if (skipped.length === 0 || !(await isSparse(shadow))) return;
  const there = await Promise.all(skipped.map((path) => lstat(bytesOf(workTree, path)).catch(() => undefined)));
  const absent = skipped.filter((_, index) => there[index] === undefined);
  await shadow.git(['update-index', '--skip-worktree', '-z', '--stdin'], { input: joinPaths(absent) });
}

/**
 * The entries that cannot hide files: no submodule link over files, and no file in place of a committed folder, or vice
 * versa, unless the disk has it too.
 */
async function safeEntries(
  workTree: string,
  files: readonly IndexedFile[],
  committed: ReadonlyMap<string, string>,
): Promise<IndexedFile[]> {
  if (files.length === 0) return [];
  const folders = new Set([...committed.keys()].flatMap(foldersOf));
  const isSafe = async ({ path, mode }: IndexedFile): Promise<boolean> => {
    if (mode === linkMode && !(await isGenuineLink(workTree, path))) return false;
    if (!folders.has(path) && !foldersOf(path).some((folder) => committed.has(folder))) return true;
    const stats = await lstat(bytesOf(workTree, path)).catch(() => undefined);
    return stats !== undefined && stats.isDirectory() === (mode === linkMode);
  };
  const may = await Promise.all(files.map(isSafe));
  return files.filter((_, index) => may[index]);
}

/** The parent folders of a path. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}

/** Removes dropped files from the index if they are ignored. Others are merely untracked. */
async function forgetIgnored(shadow: Shadow, dropped: ReadonlySet<string>): Promise<void> {
  const args = ['ls-files', '--cached', '--ignored', '--exclude-standard', '-z'];
  const ignored = splitPaths((await shadow.git(args, { timeoutMs: walkMs })).stdout).filter((path) =>
    dropped.has(path),
  );
  await forget(shadow, ignored);
}

async function forget(shadow: Shadow, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await shadow.git(['update-index', '--force-remove', '-z', '--stdin'], { input: joinPaths(paths) });
}

async function isSparse(shadow: Shadow): Promise<boolean> {
  const { stdout } = await shadow.git(['config', '--bool', 'core.sparseCheckout'], { exitCodes: [0, 1] });
  return stdout.toString('utf8').trim() === 'true';
}

/** Parses a line of `ls-files --stage`. */
export function committedFile(line: string): [path: string, entry: string] {
  const tab = line.indexOf('\t');
  const [mode = '', oid = ''] = line.split(' ', 2);
  return [line.slice(tab + 1), `${mode} ${oid}`];
}
