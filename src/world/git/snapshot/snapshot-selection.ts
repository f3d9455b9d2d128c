import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { LeftOut } from '#contract/wire/review-calls.ts';
import { bytesOf } from '#world/git/repository/git-paths.ts';

/** The limits of a snapshot: bytes of one file, and bytes and number of all files that git does not know yet. */
export interface SnapshotLimits {
  readonly fileBytes: number;
  readonly untrackedBytes: number;
  readonly untrackedFiles: number;
}

/** More than this is not reviewed, and an unignored build must not fill the repository. */
export const reviewLimits: SnapshotLimits = {
  fileBytes: 20_000_000,
  untrackedBytes: 200_000_000,
  untrackedFiles: 5_000,
};

/** The files that a snapshot leaves out. All paths are Latin-1. */
export interface Selection {
  readonly leftOut: readonly LeftOut[];
  /** Files over the size limit of a single file. */
  readonly large: readonly string[];
  /** The untracked files that are taken, if too many others are left out to exclude each by name. */
  readonly onlyThese: readonly string[] | undefined;
}

/** With more exclusions than this, comparing paths takes git longer than adding the files one by one. */
const maxExclusions = 100;
const atOnce = 500;

/** Chooses what a snapshot takes, in the order of paths; everything if there are no limits. */
export async function select(
  workTree: string,
  files: { readonly untracked: readonly string[]; readonly modified: readonly string[] },
  limits: SnapshotLimits | undefined,
): Promise<Selection> {
  if (limits === undefined) return { leftOut: [], large: [], onlyThese: undefined };
  const untracked = await sized(workTree, files.untracked);
  const isLarge = ({ bytes }: SizedFile): boolean => bytes > limits.fileBytes;
  const large = (await sized(workTree, files.modified)).filter(isLarge);
  const largeNew = untracked.filter(isLarge);
  const taken: string[] = [];
  const over: SizedFile[] = [];
  let room = limits.untrackedBytes;
  for (const file of untracked) {
    if (isLarge(file)) continue;
    if (taken.length >= limits.untrackedFiles || file.bytes > room) over.push(file);
    else {
      taken.push(file.path);
      room -= file.bytes;
    }
  }
  const leftOut = [
    ...[...large, ...largeNew].map((file): LeftOut => ({ ...file, reason: 'large' })),
    ...over.map((file): LeftOut => ({ ...file, reason: 'budget' })),
  ];
  const byName = over.length > 0 || largeNew.length > maxExclusions;
  const excluded = byName ? large : [...large, ...largeNew];
  return { leftOut, large: excluded.map(({ path }) => path), onlyThese: byName ? taken : undefined };
}

/** Those of the files that this process may read; a link always counts, wherever it leads. */
export async function readableFiles(workTree: string, paths: readonly string[]): Promise<string[]> {
  const may = await pLimit(atOnce).map(paths, (path) => isReadable(bytesOf(workTree, path)).catch(() => false));
  return paths.filter((_, index) => may[index]);
}

async function isReadable(path: Buffer): Promise<boolean> {
  if (!(await lstat(path)).isSymbolicLink()) await access(path, constants.R_OK);
  return true;
}

interface SizedFile {
  readonly path: string;
  readonly bytes: number;
}

/** The files with their sizes; files that are gone are left out. */
async function sized(workTree: string, paths: readonly string[]): Promise<SizedFile[]> {
  const stats = await pLimit(atOnce).map(paths, (path) => lstat(bytesOf(workTree, path)).catch(() => undefined));
  return paths.flatMap((path, index) => {
    const found = stats[index];
    return found === undefined ? [] : [{ path, bytes: found.size }];
  });
}
