import type { Placement } from '#contract/wire/review-calls.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import type { Anchor } from './anchor.ts';
import { openObjects, sizesOf } from './blobs.ts';
import { type ChangedEntry, changedEntries, largeBytes, pathOf } from './changed-entries.ts';
import { carriedRange, type Hunk, hunksOf, type LineRange, nearRange } from './lines.ts';
import { patchesOf } from './patches.ts';

/** The commits that line numbers refer to. */
export interface RoundCommits {
  readonly baseSha: string;
  readonly snapshotSha: string;
}

/**
 * Where the places of one round are in another one. The new side decides; a place on the old side only is followed from
 * base to base. The anchors themselves never change.
 */
export async function carryAnchors(
  at: GitDirectory,
  from: RoundCommits,
  to: RoundCommits,
  anchors: readonly Anchor[],
): Promise<Placement[]> {
  await using objects = await openObjects(at);
  const round = await changedEntries(objects, from.baseSha, from.snapshotSha);
  const oldPathOf = (path: string): string =>
    round.find((entry) => shownPath(pathOf(entry)) === path)?.old?.path ?? path;
  const isGone = (path: string): boolean => round.some((entry) => !entry.new && shownPath(pathOf(entry)) === path);
  const newSide = await FileMoves.between(objects, from.snapshotSha, to.snapshotSha);
  const oldSide = await FileMoves.between(objects, from.baseSha, to.baseSha);
  const placements: Placement[] = [];
  for (const anchor of anchors) {
    const oldPath = shownPath(oldPathOf(anchor.filePath));
    const onOld = await oldSide.follow(oldPath, rangeOf(anchor.oldStart, anchor.oldEnd));
    const isOldAlone = anchor.newStart === undefined && (anchor.oldStart !== undefined || isGone(anchor.filePath));
    if (isOldAlone) {
      placements.push(placed(anchor, onOld, { oldStart: onOld.range?.start, oldEnd: onOld.range?.end }));
      continue;
    }
    const onNew = await newSide.follow(anchor.filePath, rangeOf(anchor.newStart, anchor.newEnd));
    placements.push(
      placed(anchor, onNew, {
        newStart: onNew.range?.start,
        newEnd: onNew.range?.end,
        ...(onNew.state === 'same' && { oldStart: onOld.range?.start, oldEnd: onOld.range?.end }),
      }),
    );
  }
  return placements;
}

/** The new location of a place. */
interface CarriedPlace {
  readonly state: 'same' | 'changed' | 'gone';
  readonly path: string;
  readonly range: LineRange | undefined;
  /** If the lines changed, the lines now in their place. */
  readonly near?: LineRange | undefined;
}

/** How the files of one commit or tree changed on the way to another one. */
export class FileMoves {
  readonly #objects: Shadow;
  readonly #entries: ReadonlyMap<string, ChangedEntry>;
  readonly #hunks = new Map<string, readonly Hunk[] | undefined>();

  private constructor(objects: Shadow, entries: ReadonlyMap<string, ChangedEntry>) {
    this.#objects = objects;
    this.#entries = entries;
  }

  static async between(objects: Shadow, from: string, to: string): Promise<FileMoves> {
    const entries = from === to ? [] : await changedEntries(objects, from, to);
    const byOldPath = entries.flatMap((entry): [string, ChangedEntry][] =>
      entry.old === undefined ? [] : [[shownPath(entry.old.path), entry]],
    );
    return new FileMoves(objects, new Map(byOldPath));
  }

  /** The new location of a file, or of lines in it. Paths are as shown to people. */
  async follow(path: string, range: LineRange | undefined): Promise<CarriedPlace> {
    const entry = this.#entries.get(path);
    if (entry === undefined) return { state: 'same', path, range };
    if (entry.new === undefined) return { state: 'gone', path, range: undefined };
    const now = shownPath(entry.new.path);
    if (range === undefined || entry.old?.oid === entry.new.oid) return { state: 'same', path: now, range };
    const hunks = await this.#hunksOf(path, entry);
    const carried = hunks && carriedRange(hunks, range);
    if (carried !== undefined) return { state: 'same', path: now, range: carried };
    return { state: 'changed', path: now, range: undefined, near: hunks && nearRange(hunks, range) };
  }

  async #hunksOf(path: string, entry: ChangedEntry): Promise<readonly Hunk[] | undefined> {
    if (this.#hunks.has(path)) return this.#hunks.get(path);
    const hunks = await readHunks(this.#objects, entry);
    this.#hunks.set(path, hunks);
    return hunks;
  }
}

/** The changes of one file; undefined if it has no lines, or too many. */
async function readHunks(objects: Shadow, entry: ChangedEntry): Promise<readonly Hunk[] | undefined> {
  const oids = [entry.old, entry.new].flatMap((side) => (side === undefined ? [] : [side.oid]));
  const sizes = await sizesOf(objects, oids);
  if (oids.some((oid) => (sizes.get(oid) ?? Number.POSITIVE_INFINITY) > largeBytes)) return undefined;
  const [patch] = await patchesOf(objects, [entry], 0);
  return patch === undefined || patch.binary ? undefined : hunksOf(patch.hunks);
}

function rangeOf(start: number | undefined, end: number | undefined): LineRange | undefined {
  return start === undefined || end === undefined ? undefined : { start, end };
}

type Ranges = Pick<Anchor, 'oldStart' | 'oldEnd' | 'newStart' | 'newEnd'>;

function placed(anchor: Anchor, { state, path }: CarriedPlace, ranges: Ranges): Placement {
  if (state === 'gone') return { state };
  if (state === 'changed') return { state, filePath: path };
  const start = anchor.newStart === undefined ? 'oldStart' : 'newStart';
  const isStill = path === anchor.filePath && ranges[start] === anchor[start];
  const known = Object.entries(ranges).filter(([, line]) => line !== undefined);
  return { state: isStill ? 'still' : 'moved', filePath: path, ...Object.fromEntries(known) };
}
