import { Failure } from '#contract/failure.ts';
import type { FileDiff } from '#contract/wire/review-calls.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { openObjects, sizesOf } from './blobs.ts';
import { type ChangedEntry, changedEntries, largeBytes, pathOf } from './changed-entries.ts';
import { type DiffMember, FilledPage } from './filled-page.ts';
import { patchesOf } from './patches.ts';

export interface DiffQuestion {
  readonly fromSha: string;
  readonly toSha: string;
  /** Only this file, by its new path or its old one. */
  readonly path?: string | undefined;
  readonly cursor?: string | undefined;
  /** How many bytes of patches fit on one page. */
  readonly pageBytes: number;
  /** How many unchanged lines are shown around each change. */
  readonly context: number;
}

export interface DiffPage {
  readonly files: readonly FileDiff[];
  readonly nextCursor: string | undefined;
  readonly totalFiles: number;
}

/** The limits of the files whose patches git makes in one call. */
const group = { files: 100, bytes: 16_000_000 } as const;

/**
 * One page of what differs between two commits: whole files until the page is full; a file longer than a page continues
 * on the next one.
 * @throws NOT_FOUND when the diff does not touch the path, INVALID_ARGUMENT for a cursor of another diff
 */
export async function reviewDiff(at: GitDirectory, question: DiffQuestion): Promise<DiffPage> {
  await using objects = await openObjects(at);
  const all = await changedEntries(objects, question.fromSha, question.toSha);
  const entries = question.path === undefined ? all : [entryOf(all, question.path)];
  const page = new FilledPage(question, entries.length);
  while (page.wantsMore) {
    const members = await nextGroup(objects, entries, page.next);
    const patches = await patchesOf(
      objects,
      members.filter((one) => !one.isLarge).map(({ entry }) => entry),
      question.context,
    );
    let at = 0;
    for (const member of members) {
      const patch = member.isLarge ? undefined : patches[at++];
      if (!page.take(member, patch)) break;
    }
  }
  return { files: page.files, nextCursor: page.cursor, totalFiles: entries.length };
}

/**
 * The file of a diff with this path, old or new.
 * @throws NOT_FOUND
 */
function entryOf(entries: readonly ChangedEntry[], path: string): ChangedEntry {
  const found =
    entries.find((entry) => shownPath(pathOf(entry)) === path) ??
    entries.find((entry) => entry.old !== undefined && shownPath(entry.old.path) === path);
  if (found !== undefined) return found;
  throw new Failure(
    'FILE_NOT_FOUND',
    `the diff does not change ${path}: leave the path out to see which files it changes`,
    { metadata: { path } },
  );
}

/** The next files whose patches fit into memory together. */
async function nextGroup(
  objects: Shadow,
  entries: readonly ChangedEntry[],
  from: number,
): Promise<readonly DiffMember[]> {
  const candidates = entries.slice(from, from + group.files);
  const oids = candidates.flatMap(({ old, new: now }) => [old?.oid, now?.oid]).filter((oid) => oid !== undefined);
  const sizes = await sizesOf(objects, oids);
  const members: DiffMember[] = [];
  let bytes = 0;
  for (const entry of candidates) {
    const [oldBytes, newBytes] = [entry.old, entry.new].map((side) => side && sizes.get(side.oid));
    const isLarge = Math.max(oldBytes ?? 0, newBytes ?? 0) > largeBytes;
    bytes += isLarge ? 0 : (oldBytes ?? 0) + (newBytes ?? 0);
    if (bytes > group.bytes && members.length > 0) break;
    members.push({ entry, oldBytes, newBytes, isLarge });
  }
  return members;
}
