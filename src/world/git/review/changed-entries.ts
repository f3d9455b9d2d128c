import { Failure } from '#contract/failure.ts';
import { splitPaths } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';

/** One side of a changed file. */
export interface FileSide {
  /** In octal, as git writes it. */
  readonly mode: string;
  readonly oid: string;
  /** Latin-1. */
  readonly path: string;
}

/** A file that differs between two trees; renamed if the sides' paths differ. */
export interface ChangedEntry {
  readonly old: FileSide | undefined;
  readonly new: FileSide | undefined;
}

/** How similar two files must be to count as one that was renamed, and how many files are compared for it. */
export const renames: readonly string[] = ['-M50%', '-l1000'];

/**
 * Only the size of a larger file is shown: its lines are not reviewed, and comparing them would cost git much memory.
 */
export const largeBytes = 5_000_000;

/**
 * What differs between two trees or commits, in git's order of paths. Contents are read only to find renames.
 * @throws FAILED_PRECONDITION when one of them is not in the repository
 */
export async function changedEntries(shadow: Shadow, from: string, to: string): Promise<ChangedEntry[]> {
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--ignore-submodules=none',
    '--raw',
    '--no-abbrev',
    ...renames,
    from,
    to,
    '--',
  ];
  const { stdout, exitCode } = await shadow.git(args, { timeoutMs: 60_000, exitCodes: [0, 128] });
  if (exitCode !== 0) {
    throw new Failure(
      'COMMIT_NOT_FOUND',
      `${from} and ${to} cannot be compared: one of them is no longer in the repository`,
    );
  }
  const fields = splitPaths(stdout);
  const entries: ChangedEntry[] = [];
  for (let at = 0; at < fields.length; ) {
    const [oldMode = '', newMode = '', oldOid = '', newOid = '', status = ''] = (fields[at] ?? '').slice(1).split(' ');
    const hasTwo = /^[RC]/.test(status);
    const path = fields[at + 1] ?? '';
    entries.push({
      old: /^0+$/.test(oldMode) ? undefined : { mode: oldMode, oid: oldOid, path },
      new: /^0+$/.test(newMode)
        ? undefined
        : { mode: newMode, oid: newOid, path: hasTwo ? (fields[at + 2] ?? '') : path },
    });
    at += hasTwo ? 3 : 2;
  }
  return entries;
}

/** The path that names a file: the new one, or the old one if it was deleted. Latin-1. */
export function pathOf(entry: ChangedEntry): string {
  return entry.new?.path ?? entry.old?.path ?? '';
}
