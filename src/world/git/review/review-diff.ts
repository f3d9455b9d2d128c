import { Failure } from '#contract/failure.ts';
import type { FileDiff } from '#contract/wire/review-calls.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { openObjects, sizesOf } from './blobs.ts';
import { type ChangedEntry, changedEntries, largeBytes, pathOf } from './changed-entries.ts';
import { type Patch, patchesOf } from './patches.ts';

export interface DiffQuestion {
  readonly fromSha: string;
  readonly toSha: string;
  /** One file alone, by its new path or its old one. */
  readonly path?: string | undefined;
  readonly cursor?: string | undefined;
  /** Of patch on one page. */
  readonly pageBytes: number;
  /** Lines shown around each change. */
  readonly context: number;
}

export interface DiffPage {
  readonly files: readonly FileDiff[];
  readonly nextCursor: string | undefined;
  readonly totalFiles: number;
}

/** Files of which the patches are made in one go. */
const group = { files: 100, bytes: 16_000_000 } as const;
/** The most files on one page: many may have no patch. */
const pageFiles = 500;

/**
 * One page of what differs between two commits: whole files until the page is full; a file longer than a page goes on
 * on the next one.
 * @throws NOT_FOUND when the diff does not touch the path, INVALID_ARGUMENT for a cursor of another diff
 */
export async function reviewDiff(at: GitDirectory, question: DiffQuestion): Promise<DiffPage> {
  await using objects = await openObjects(at);
  const all = await changedEntries(objects, question.fromSha, question.toSha);
  const entries = question.path === undefined ? all : [entryOf(all, question.path)];
  const page = new Page(question, entries.length);
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
 * The file of a diff that goes by a path.
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

interface Member {
  readonly entry: ChangedEntry;
  readonly oldBytes: number | undefined;
  readonly newBytes: number | undefined;
  readonly isLarge: boolean;
}

/** The next files of which the patches fit into memory together. */
async function nextGroup(objects: Shadow, entries: readonly ChangedEntry[], from: number): Promise<readonly Member[]> {
  const candidates = entries.slice(from, from + group.files);
  const oids = candidates.flatMap(({ old, new: now }) => [old?.oid, now?.oid]).filter((oid) => oid !== undefined);
  const sizes = await sizesOf(objects, oids);
  const members: Member[] = [];
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

/** A page that is being filled. */
class Page {
  readonly files: FileDiff[] = [];
  readonly #total: number;
  #room: number;
  #entry: number;
  #offset: number;
  #isFull = false;

  constructor({ cursor, pageBytes }: DiffQuestion, total: number) {
    const [, entry = '0', offset = '0'] = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor || '0.0') ?? [undefined, '-1'];
    this.#entry = Number(entry);
    this.#offset = Number(offset);
    this.#room = pageBytes;
    this.#total = total;
    if (this.#entry < 0 || this.#entry > total) {
      throw new Failure('INVALID_CURSOR', `${cursor} is not a cursor of this diff: start without one`, {
        field: 'cursor',
      });
    }
  }

  get next(): number {
    return this.#entry;
  }

  get wantsMore(): boolean {
    return !this.#isFull && this.#entry < this.#total;
  }

  get cursor(): string | undefined {
    return this.#entry < this.#total ? `${this.#entry}.${this.#offset}` : undefined;
  }

  /** Takes the next file, or as much of it as there is room for; false once the page is full. */
  take(member: Member, patch: Patch | undefined): boolean {
    const rest = patch?.hunks.subarray(this.#offset) ?? Buffer.alloc(0);
    const fits = rest.length <= this.#room;
    if ((!fits && this.files.length > 0) || this.files.length >= pageFiles) {
      this.#isFull = true;
      return false;
    }
    const part = fits ? rest : rest.subarray(0, lineEnd(rest, this.#room));
    this.files.push(fileDiff(member, patch, part, !fits || this.#offset > 0));
    this.#room -= part.length;
    this.#isFull = !fits || this.#room <= 0;
    this.#offset = fits ? 0 : this.#offset + part.length;
    if (fits) this.#entry += 1;
    return !this.#isFull;
  }
}

/**
 * Where to cut a patch: after the last whole line, or within a line that is longer than all the room, between letters.
 */
function lineEnd(patch: Buffer, room: number): number {
  const end = patch.lastIndexOf('\n', room - 1) + 1;
  if (end > 0) return end;
  let at = room;
  while (at > 1 && ((patch[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

function fileDiff(
  { entry, oldBytes, newBytes, isLarge }: Member,
  patch: Patch | undefined,
  part: Buffer,
  partial: boolean,
): FileDiff {
  const { old, new: now } = entry;
  const omitted = isLarge ? 'large' : patch?.binary ? 'binary' : undefined;
  return {
    path: shownPath(pathOf(entry)),
    ...(old && now && old.path !== now.path ? { oldPath: shownPath(old.path) } : {}),
    change: changeOf(entry),
    ...(old && { oldMode: old.mode }),
    ...(now && { newMode: now.mode }),
    ...(oldBytes === undefined ? {} : { oldBytes }),
    ...(newBytes === undefined ? {} : { newBytes }),
    ...(omitted === undefined ? counted(patch?.hunks ?? Buffer.alloc(0)) : { omitted }),
    patch: part.toString('utf8'),
    partial,
  };
}

function changeOf({ old, new: now }: ChangedEntry): FileDiff['change'] {
  if (!old) return 'added';
  if (!now) return 'deleted';
  if (old.path !== now.path) return 'renamed';
  return old.mode.slice(0, 3) === now.mode.slice(0, 3) ? 'modified' : 'type-changed';
}

/** How many lines a patch adds and deletes. */
function counted(hunks: Buffer): { added: number; deleted: number } {
  let [added, deleted] = [0, 0];
  for (let at = 0; at < hunks.length; at = hunks.indexOf('\n', at) + 1 || hunks.length) {
    if (hunks[at] === 0x2b) added += 1;
    else if (hunks[at] === 0x2d) deleted += 1;
  }
  return { added, deleted };
}
