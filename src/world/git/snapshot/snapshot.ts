import { lstat } from 'node:fs/promises';
import { Failure } from '#contract/failure.ts';
import type { LeftOut } from '#contract/wire/review-calls.ts';
import { readHeadSha } from '#world/git/checkout/checkout.ts';
import type { IndexContent } from '#world/git/checkout/own-index.ts';
import { linkMode, submoduleAt } from '#world/git/checkout/submodule-link.ts';
import { bytesOf, joinPaths, shownPath } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { listFiles } from './hidden-files.ts';
import { readableFiles, type SnapshotLimits, select } from './snapshot-selection.ts';
import { addVerbatim, transformedFiles, turnBack } from './transformed-files.ts';

/** The time limit, in milliseconds, for reading all files: enough for a large checkout on a busy machine. */
const walkMs = 120_000;

/** A tree of a checkout, and the files that it lacks. Paths are Latin-1. */
export interface Snapshot {
  readonly treeSha: string;
  readonly leftOut: readonly LeftOut[];
  /** The submodules that are checked out: the tree has only the commit that each is at. */
  readonly submodules: readonly string[];
}

/**
 * The tree of everything in the checkout: tracked and untracked files, but not ignored ones, byte for byte except for
 * line endings and encodings that git converts, and of a submodule only the commit that it is at. A file over the
 * limits stays as the commit has it, or is left out if the commit lacks it. The shadow's index must be filled.
 * @param committed the content of the checked-out commit, by path
 */
export async function snapshotTree(
  shadow: Shadow,
  workTree: string,
  committed: IndexContent['committed'],
  limits?: SnapshotLimits,
): Promise<Snapshot> {
  const submodules = await submodulePaths(shadow, workTree);
  const { others, modified, closed } = await listed(
    shadow,
    limits === undefined ? ['--others'] : ['--others', '--modified'],
  );
  // An embedded repository cannot be added, and one without commits makes the whole command fail. To add a submodule,
  // git asks for its status, which runs programs that the submodule's own configuration names.
  const nested = others.filter((path) => path.endsWith('/'));
  const files = others.filter((path) => !path.endsWith('/'));
  const selection = await select(workTree, { untracked: files, modified }, limits);
  const left = new Set(selection.leftOut.map(({ path }) => path));
  const transformed = await transformedFiles(shadow, workTree, files);
  const excluded = [...nested, ...submodules, ...selection.large];
  const refused = await addFiles(shadow, workTree, excluded, selection.onlyThese);
  const links = (await Promise.all(submodules.map((path) => linkOf(workTree, path)))).filter(
    (link) => link !== undefined,
  );
  if (links.length > 0) await shadow.git(['update-index', '-z', '--index-info'], { input: joinPaths(links) });
  const isTaken = (path: string): boolean => !left.has(path);
  const opaque = transformed.opaque.filter(isTaken);
  const unheld = await addVerbatim(shadow, workTree, opaque);
  const known = new Set([...excluded, ...opaque, ...left]);
  const unread = [...(refused ? await unreadable(shadow, known) : []), ...[...unheld, ...closed].map(unreadFile)];
  // A file that was not hashed must not get into the tree just because the checkout's index lists it.
  const unhashed = [...selection.large, ...unread.map(({ path }) => path)].filter((path) => !committed.has(path));
  if (unhashed.length > 0) {
    await shadow.git(['update-index', '--force-remove', '-z', '--stdin'], { input: joinPaths(unhashed) });
  }
  await turnBack(shadow, { ...transformed, turnedBack: transformed.turnedBack.filter(isTaken) }, committed);
  // Without checking each object of the index: that takes long, and a partial clone does not have all of them.
  const treeSha = (await shadow.git(['write-tree', '--missing-ok'])).stdout.toString('utf8').trim();
  return { treeSha, leftOut: [...nested.map(leftRepository), ...selection.leftOut, ...unread], submodules };
}

/**
 * Refuses a snapshot that lacks a file of the checkout, apart from the files of nested repositories.
 * @throws FAILED_PRECONDITION
 */
export function requireWhole({ leftOut }: Snapshot): void {
  const missed = leftOut.find(({ reason }) => reason !== 'repository');
  if (missed === undefined) return;
  const path = shownPath(missed.path);
  throw new Failure('REPOSITORY_UNREADABLE', `git cannot read or store ${path}: move it elsewhere, or remove it`);
}

/**
 * Adds everything that is not excluded; of the untracked files only the named ones, if any are named. Returns whether
 * git failed to read a file.
 */
async function addFiles(
  shadow: Shadow,
  workTree: string,
  excluded: readonly string[],
  onlyThese: readonly string[] | undefined,
): Promise<boolean> {
  const pathspecs = ['.', ...excluded.map((path) => `:(exclude,literal)${path}`)];
  const which = onlyThese === undefined ? '--all' : '--update';
  const { exitCode } = await shadow.git(
    ['add', which, '--sparse', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'],
    {
      input: joinPaths(pathspecs),
      env: { GIT_LITERAL_PATHSPECS: '0' },
      exitCodes: [0, 1],
      timeoutMs: walkMs,
    },
  );
  if (onlyThese === undefined) return exitCode !== 0;
  const readable = await readableFiles(workTree, onlyThese);
  await shadow.git(['update-index', '--add', '--remove', '-z', '--stdin'], {
    input: joinPaths(readable),
    timeoutMs: walkMs,
  });
  return exitCode !== 0 || readable.length < onlyThese.length;
}

/** Files that git should have added and did not: they are still untracked or changed. */
async function unreadable(shadow: Shadow, known: ReadonlySet<string>): Promise<LeftOut[]> {
  const { others, modified } = await listed(shadow, ['--others', '--modified']);
  const unread = [...others, ...modified].filter((path) => !known.has(path) && !path.endsWith('/'));
  return unread.map(unreadFile);
}

function unreadFile(path: string): LeftOut {
  return { path, reason: 'unreadable' };
}

/**
 * The files that the index does not know, the ones that differ from it or are gone, and the folders that git cannot
 * open.
 */
async function listed(
  shadow: Shadow,
  which: readonly string[],
): Promise<{ readonly others: string[]; readonly modified: string[]; readonly closed: readonly string[] }> {
  const { lines, closed } = await listFiles(shadow, ['-t', ...which]);
  const isOther = (line: string): boolean => line.startsWith('? ');
  return {
    others: lines.filter(isOther).map(pathOf),
    modified: [...new Set(lines.filter((line) => !isOther(line)).map(pathOf))],
    closed,
  };
}

function leftRepository(path: string): LeftOut {
  return { path: path.slice(0, -1), reason: 'repository' };
}

/** The submodules of the index whose folder exists. Latin-1 paths. */
export async function submodulePaths(shadow: Shadow, workTree: string): Promise<string[]> {
  const links = (await shadow.entries())
    .filter((line) => line.startsWith(`${linkMode} `))
    .map((line) => line.slice(line.indexOf('\t') + 1));
  const stats = await Promise.all(links.map((path) => lstat(bytesOf(workTree, path)).catch(() => undefined)));
  return links.filter((_, index) => stats[index]?.isDirectory());
}

/** A submodule's commit as `update-index` reads it; undefined if it is not checked out. */
async function linkOf(workTree: string, path: string): Promise<string | undefined> {
  const at = await submoduleAt(workTree, path);
  const headSha = at && (await readHeadSha(at));
  return headSha === undefined ? undefined : `${linkMode} ${headSha}\t${path}`;
}

function pathOf(line: string): string {
  return line.slice(2);
}
