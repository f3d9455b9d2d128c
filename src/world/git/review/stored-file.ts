import { Failure } from '#contract/failure.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { shownPath, splitPaths } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { contentOf, openObjects, sizesOf } from './blobs.ts';
import { type FileSide, largeBytes } from './changed-entries.ts';
import { isBinary, type LineRange, linesOf } from './lines.ts';

/** Lines of a file as a commit has it. */
export interface StoredLines {
  readonly lines: readonly string[];
  /** How many lines the whole file has. */
  readonly totalLines: number;
}

/** The maximum number of lines in one answer. */
const maxLines = 2_000;

/** The file of a commit or tree whose path is shown as `path`; undefined if there is none. */
export async function findFile(objects: Shadow, treeish: string, path: string): Promise<FileSide | undefined> {
  // Most names are UTF-8 and found at once; of any other name only the form shown to people is known. Git refuses a path
  // that leads out of the checkout with status 128.
  const named = ['ls-tree', '-z', '--full-tree', treeish, '--', path];
  const exact = sidesOf((await objects.git(named, { exitCodes: [0, 128] })).stdout).find(
    (one) => shownPath(one.path) === path,
  );
  if (exact !== undefined || !path.includes('\ufffd')) return exact;
  const all = sidesOf((await objects.git(['ls-tree', '-r', '-z', '--full-tree', treeish])).stdout);
  return all.find((one) => shownPath(one.path) === path);
}

/**
 * Lines of a file as a commit has it; an end past the last line means the last line.
 * @throws NOT_FOUND when the commit has no such file, FAILED_PRECONDITION when it has no lines to show,
 *   INVALID_ARGUMENT for a range that begins past the file's end or is too long
 */
export async function readLines(
  at: GitDirectory,
  sha: string,
  path: string,
  { start, end }: LineRange,
): Promise<StoredLines> {
  await using objects = await openObjects(at);
  const file = await findFile(objects, sha, path);
  if (file === undefined || !/^1[02]/.test(file.mode)) {
    throw new Failure('FILE_NOT_FOUND', `the commit ${sha} has no file ${path}: see which files the diff changes`, {
      metadata: { path },
    });
  }
  const bytes = (await sizesOf(objects, [file.oid])).get(file.oid) ?? 0;
  const content = bytes > largeBytes ? undefined : await contentOf(objects, file.oid);
  if (content === undefined || isBinary(content)) {
    throw new Failure('FILE_NOT_SHOWN', `${path} is binary or too large to be shown: it has ${bytes} bytes`);
  }
  const lines = linesOf(content);
  if (end < start || end - start >= maxLines || (start > lines.length && lines.length > 0)) {
    const said = `${start} to ${end} is not a range of ${path}, which has ${lines.length} lines`;
    throw new Failure('INVALID_RANGE', `${said}: ask for at most ${maxLines} of them`);
  }
  return { lines: lines.slice(start - 1, end), totalLines: lines.length };
}

function sidesOf(listing: Buffer): FileSide[] {
  return splitPaths(listing).map((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', , oid = ''] = line.slice(0, tab).split(' ');
    return { mode, oid, path: line.slice(tab + 1) };
  });
}
