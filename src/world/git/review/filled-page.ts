import { Failure } from '#contract/failure.ts';
import type { FileDiff } from '#contract/wire/review-calls.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import { type ChangedEntry, pathOf } from './changed-entries.ts';
import type { Patch } from './patches.ts';

/** The maximum number of files on a page: a patch may be empty, so the size alone does not limit their number. */
const pageFiles = 500;

/** A file that differs, and the size of each of its sides; undefined for a side that does not exist. */
export interface DiffMember {
  readonly entry: ChangedEntry;
  readonly oldBytes: number | undefined;
  readonly newBytes: number | undefined;
  readonly isLarge: boolean;
}

/** A page that is being filled. */
export class FilledPage {
  readonly files: FileDiff[] = [];
  readonly #total: number;
  #room: number;
  #entry: number;
  #offset: number;
  #isFull = false;

  constructor(
    { cursor, pageBytes }: { readonly cursor?: string | undefined; readonly pageBytes: number },
    total: number,
  ) {
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

  /** Adds the next file, or as much of it as fits; false once the page is full. */
  take(member: DiffMember, patch: Patch | undefined): boolean {
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
 * Where to cut a patch: after the last whole line that fits, or between characters of a line longer than the room left.
 */
function lineEnd(patch: Buffer, room: number): number {
  const end = patch.lastIndexOf('\n', room - 1) + 1;
  if (end > 0) return end;
  let at = room;
  while (at > 1 && ((patch[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

function fileDiff(
  { entry, oldBytes, newBytes, isLarge }: DiffMember,
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
