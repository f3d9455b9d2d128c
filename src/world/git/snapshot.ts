import { lstat } from 'node:fs/promises';
import { readHeadSha } from './checkout.ts';
import { findGitDirectory } from './git-directory.ts';
import type { Shadow } from './shadow.ts';

/** Looking through all files of a large checkout on a busy machine. */
const walkMs = 120_000;

/** Splits git's NUL-terminated output. Latin-1 keeps names that are not UTF-8 as they are, byte for byte. */
export function splitPaths(output: Buffer): string[] {
  return output.toString('latin1').split('\0').slice(0, -1);
}

/** The other way round: paths as git reads them from standard input. */
export function joinPaths(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}

/** The full path, byte for byte, of a Latin-1 path below a folder. */
export function bytesOf(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

/**
 * Makes the shadow's index see every file as it is: where the checkout has none, from HEAD; and without the marks by
 * which an agent could hide edits (assume-unchanged, and skip-worktree on a file that is there).
 */
export async function prepareIndex(shadow: Shadow, workTree: string, headSha: string | undefined): Promise<void> {
  let listing = await shadow.git(['ls-files', '-v', '-z'], { exitCodes: [0, 128] });
  if (headSha !== undefined && (listing.exitCode !== 0 || listing.stdout.length === 0)) {
    // Without --reset git does not look at the old index, which may be broken.
    await shadow.git(['read-tree', headSha]);
    listing = await shadow.git(['ls-files', '-v', '-z']);
  }
  const lines = splitPaths(listing.stdout);
  await unmark(shadow, '--no-assume-unchanged', lines.filter((line) => /^[a-z]/.test(line)).map(pathOf));
  const skipped = lines.filter((line) => /^[Ss]/.test(line)).map(pathOf);
  const present = await Promise.all(skipped.map((path) => exists(workTree, path)));
  await unmark(
    shadow,
    '--no-skip-worktree',
    skipped.filter((_, index) => present[index]),
  );
}

/**
 * The tree of everything in the checkout, untracked files too, ignored ones not, and of a submodule only the commit
 * that it is at. The shadow's index must be prepared.
 */
export async function snapshotTree(shadow: Shadow, workTree: string): Promise<string> {
  const submodules = await submodulePaths(shadow, workTree);
  const others = await shadow.git(['ls-files', '--others', '--exclude-standard', '-z'], { timeoutMs: walkMs });
  // An embedded repository cannot be added, and without commits it fails the whole command. To add a submodule git asks
  // for its status, which runs what the submodule's own configuration names.
  const nested = [...splitPaths(others.stdout).filter((path) => path.endsWith('/')), ...submodules];
  const pathspecs = ['.', ...nested.map((path) => `:(exclude,literal)${path}`)];
  await shadow.git(['add', '--all', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'], {
    input: joinPaths(pathspecs),
    env: { GIT_LITERAL_PATHSPECS: '0' },
    exitCodes: [0, 1],
    timeoutMs: walkMs,
  });
  const links = await Promise.all(submodules.map((path) => linkOf(workTree, path)));
  await shadow.git(['update-index', '-z', '--index-info'], {
    input: joinPaths(links.filter((link) => link !== undefined)),
  });
  return (await shadow.git(['write-tree'])).stdout.toString('utf8').trim();
}

/** The submodules of the index whose folder is there. Latin-1 paths. */
export async function submodulePaths(shadow: Shadow, workTree: string): Promise<string[]> {
  const staged = splitPaths((await shadow.git(['ls-files', '--stage', '-z'])).stdout);
  const links = staged.filter((line) => line.startsWith('160000 ')).map((line) => line.slice(line.indexOf('\t') + 1));
  const stats = await Promise.all(links.map((path) => lstat(bytesOf(workTree, path)).catch(() => undefined)));
  return links.filter((_, index) => stats[index]?.isDirectory());
}

/** A submodule's commit as `update-index` reads it; undefined where it is not checked out. */
async function linkOf(workTree: string, path: string): Promise<string | undefined> {
  const folder = bytesOf(workTree, path).toString('utf8');
  const at = await findGitDirectory(folder);
  if (at?.workTree !== folder) return undefined;
  const headSha = await readHeadSha(at);
  return headSha === undefined ? undefined : `160000 ${headSha}\t${path}`;
}

async function unmark(shadow: Shadow, option: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await shadow.git(['update-index', option, '-z', '--stdin'], { input: joinPaths(paths) });
}

function pathOf(line: string): string {
  return line.slice(2);
}

async function exists(workTree: string, path: string): Promise<boolean> {
  return (await lstat(bytesOf(workTree, path)).catch(() => undefined)) !== undefined;
}
