import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Shadow } from './shadow.ts';

/** Looking through all files of a large checkout on a busy machine. */
const walkMs = 120_000;

/** Splits git's NUL-terminated output. Latin-1 keeps names that are not UTF-8 as they are, byte for byte. */
export function splitPaths(output: Buffer): string[] {
  return output.toString('latin1').split('\0').slice(0, -1);
}

/**
 * Makes the shadow's index see every file as it is: where the checkout has none, from HEAD; and without the marks by which
 * an agent could hide edits (assume-unchanged, and skip-worktree on a file that is there).
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

/** The tree of everything in the checkout, untracked files too, ignored ones not. The shadow's index must be prepared. */
export async function snapshotTree(shadow: Shadow): Promise<string> {
  const others = await shadow.git(['ls-files', '--others', '--exclude-standard', '-z'], { timeoutMs: walkMs });
  // A repository of its own inside the checkout cannot be added, and without commits it fails the whole command.
  const nested = splitPaths(others.stdout).filter((path) => path.endsWith('/'));
  const pathspecs = ['.', ...nested.map((path) => `:(exclude,literal)${path}`)];
  await shadow.git(['add', '--all', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'], {
    input: Buffer.from(`${pathspecs.join('\0')}\0`, 'latin1'),
    env: { GIT_LITERAL_PATHSPECS: '0' },
    exitCodes: [0, 1],
    timeoutMs: walkMs,
  });
  const { stdout } = await shadow.git(['write-tree']);
  return stdout.toString('utf8').trim();
}

async function unmark(shadow: Shadow, option: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const input = Buffer.from(`${paths.join('\0')}\0`, 'latin1');
  await shadow.git(['update-index', option, '-z', '--stdin'], { input });
}

function pathOf(line: string): string {
  return line.slice(2);
}

async function exists(workTree: string, path: string): Promise<boolean> {
  const full = Buffer.concat([Buffer.from(join(workTree, '/')), Buffer.from(path, 'latin1')]);
  return (await lstat(full).catch(() => undefined)) !== undefined;
}
