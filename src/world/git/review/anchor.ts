import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { contentOf, openObjects, sizesOf } from './blobs.ts';
import { type ChangedEntry, changedEntries, type FileSide, largeBytes, pathOf } from './changed-entries.ts';
import { bare, type DiffRow, isBinary, linesOf, rowsOf } from './lines.ts';
import { patchesOf } from './patches.ts';

/** A place in a file of a diff. Each side has both numbers or neither; without any, the place is the whole file. */
export interface Anchor {
  /** The path as shown: the new one, or the old one if the file was deleted. */
  readonly filePath: string;
  readonly oldStart?: number | undefined;
  readonly oldEnd?: number | undefined;
  readonly newStart?: number | undefined;
  readonly newEnd?: number | undefined;
}

export interface AnchorCheck extends Anchor {
  readonly baseSha: string;
  readonly snapshotSha: string;
  /** Each with its marker: a space, `-` or `+`. */
  readonly quotedLines: readonly string[];
  readonly hasSuggestion: boolean;
}

export type AnchorVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: 'range' | 'file' | 'binary' | 'outside' | 'mismatch';
      /** States the problem, the value and the remedy. */
      readonly message: string;
      /** The actual lines of the ranges, with markers. */
      readonly stands: readonly string[];
    };

type Refusal = Extract<AnchorVerdict, { ok: false }>;

/** How many unchanged lines a diff shows around each change. */
const shownContext = 3;
const everything = 1_000_000;
const maxStanding = 200;
/** What a diff says below a file's last line if no newline ends it. It is not a line of the file. */
const openEnd = '\\ No newline at end of file';

/**
 * Whether a comment's place is in a diff. Quoted lines must be exactly the lines of the ranges; the place may then be
 * anywhere in a file that the diff touches. Without a quote, the place must be among the lines that the diff shows.
 */
export async function checkAnchor(at: GitDirectory, question: AnchorCheck): Promise<AnchorVerdict> {
  const wrongRange = rangeTrouble(question);
  if (wrongRange !== undefined) return refusal('range', wrongRange);
  await using objects = await openObjects(at);
  const entries = await changedEntries(objects, question.baseSha, question.snapshotSha);
  const entry = entries.find((one) => shownPath(pathOf(one)) === question.filePath);
  if (entry === undefined) return refusal('file', fileTrouble(entries, question.filePath));
  if (!hasRange(question)) return { ok: true };
  if (question.hasSuggestion && entry.new !== undefined && !entry.new.mode.startsWith('100')) {
    return refusal(
      'file',
      `${question.filePath} is not a regular file, so nothing can be suggested: leave the suggestion out`,
    );
  }
  const sides = await sidesOf(objects, entry);
  if (sides === undefined) {
    return refusal('binary', `${question.filePath} is binary or too large to be shown: leave the line numbers out`);
  }
  const outside = outsideTrouble(question, sides);
  const trouble = outside === undefined ? quoteTrouble(question, sides) : undefined;
  if (outside === undefined && trouble === undefined && question.quotedLines.length > 0) return { ok: true };
  const isQuoteless = outside === undefined && trouble === undefined;
  if (isQuoteless && isShown(await rowsIn(objects, entry, question, shownContext), question)) return { ok: true };
  const rows = await rowsIn(objects, entry, question, everything);
  const stands = rows.slice(0, maxStanding).map(({ marker, text }) => `${marker}${text}`);
  if (trouble !== undefined) return refusal('mismatch', trouble, stands);
  return refusal('outside', outside ?? unshown(question), stands);
}

function refusal(reason: Refusal['reason'], message: string, stands: readonly string[] = []): Refusal {
  return { ok: false, reason, message, stands };
}

function hasRange({ oldStart, newStart }: Anchor): boolean {
  return oldStart !== undefined || newStart !== undefined;
}

/** The error in the numbers, found without reading the file. */
function rangeTrouble(question: AnchorCheck): string | undefined {
  const { oldStart, oldEnd, newStart, newEnd, quotedLines, hasSuggestion } = question;
  for (const [side, start, end] of [['old', oldStart, oldEnd] as const, ['new', newStart, newEnd] as const]) {
    if ((start === undefined) !== (end === undefined)) {
      return `${side}Start and ${side}End go together: give both, or neither`;
    }
    if (start !== undefined && end !== undefined && (start < 1 || end < start)) {
      return `${side}Start ${start} and ${side}End ${end} are not a range: lines count from one, and the end is inclusive`;
    }
  }
  if (hasSuggestion && newStart === undefined) {
    return 'a suggestion replaces lines of the new side: give newStart and newEnd, or leave the suggestion out';
  }
  if (quotedLines.length > 0 && !hasRange(question)) {
    return 'quotedLines need their range: give newStart and newEnd, oldStart and oldEnd, or both';
  }
  const unmarked = quotedLines.find((line) => !/^[ +-]/.test(line) && line !== '' && line !== openEnd);
  return unmarked === undefined
    ? undefined
    : `the quoted line "${unmarked.slice(0, 80)}" has no marker: begin it with a space, + or -, as the diff does`;
}

function fileTrouble(entries: readonly ChangedEntry[], filePath: string): string {
  const renamed = entries.find(({ old }) => old !== undefined && shownPath(old.path) === filePath);
  return renamed === undefined
    ? `the diff does not touch ${filePath}: comment on a file that it touches`
    : `${filePath} was renamed: name it ${shownPath(pathOf(renamed))}`;
}

/** The lines of both sides; a side that the file is not on has none. */
interface FileSides {
  readonly old: readonly string[] | undefined;
  readonly new: readonly string[] | undefined;
}

async function sidesOf(objects: Shadow, entry: ChangedEntry): Promise<FileSides | undefined> {
  const sides = [entry.old, entry.new].filter((side) => side !== undefined);
  const sizes = await sizesOf(
    objects,
    sides.map(({ oid }) => oid),
  );
  // A submodule's commit is not an object of this repository.
  if (sides.some(({ oid }) => (sizes.get(oid) ?? Number.POSITIVE_INFINITY) > largeBytes)) return undefined;
  const contents = await Promise.all([read(objects, entry.old), read(objects, entry.new)]);
  if (contents.some((content) => content !== undefined && isBinary(content))) return undefined;
  const [old, now] = contents.map((content) => content && linesOf(content));
  return { old, new: now };
}

async function read(objects: Shadow, side: FileSide | undefined): Promise<Buffer | undefined> {
  return side && contentOf(objects, side.oid);
}

function outsideTrouble(
  { filePath, oldStart, oldEnd, newStart, newEnd }: AnchorCheck,
  sides: FileSides,
): string | undefined {
  const [oldLines, newLines] = [sides.old, sides.new];
  if (oldStart !== undefined && oldLines === undefined) return `${filePath} was added and has no old side`;
  if (newStart !== undefined && newLines === undefined) return `${filePath} was deleted and has no new side`;
  if (oldEnd !== undefined && oldLines && oldEnd > oldLines.length)
    return pastEnd(filePath, 'old', oldEnd, oldLines.length);
  if (newEnd !== undefined && newLines && newEnd > newLines.length)
    return pastEnd(filePath, 'new', newEnd, newLines.length);
  return undefined;
}

function pastEnd(filePath: string, side: string, end: number, count: number): string {
  return `${side}End ${end} is past the end of ${filePath}, which has ${count} lines on the ${side} side`;
}

/** How the quoted lines differ from the lines of the ranges. */
function quoteTrouble(
  { oldStart, oldEnd, newStart, newEnd, quotedLines }: AnchorCheck,
  sides: FileSides,
): string | undefined {
  let oldLine = oldStart ?? 1;
  let newLine = newStart ?? 1;
  for (const quoted of quotedLines) {
    if (quoted === openEnd) continue;
    const marker = quoted[0] ?? ' ';
    const text = bare(quoted.slice(1));
    if (marker !== '+') {
      const trouble = lineTrouble('old', text, sides.old, oldLine, oldEnd);
      if (trouble !== undefined && !(marker === ' ' && oldStart === undefined)) return trouble;
      oldLine += 1;
    }
    if (marker !== '-') {
      const trouble = lineTrouble('new', text, sides.new, newLine, newEnd);
      if (trouble !== undefined && !(marker === ' ' && newStart === undefined)) return trouble;
      newLine += 1;
    }
  }
  if (quotedLines.length === 0) return undefined;
  if (oldEnd !== undefined && oldLine <= oldEnd) return short('old', oldLine - (oldStart ?? 1), oldStart, oldEnd);
  if (newEnd !== undefined && newLine <= newEnd) return short('new', newLine - (newStart ?? 1), newStart, newEnd);
  return undefined;
}

function lineTrouble(
  side: string,
  text: string,
  lines: readonly string[] | undefined,
  line: number,
  end: number | undefined,
): string | undefined {
  if (end === undefined || lines === undefined)
    return `quotedLines quote the ${side} side, on which the thread has no range`;
  if (line > end) return `quotedLines continue after ${side}End ${end}: quote only the lines of the range`;
  const found = bare(lines[line - 1] ?? '');
  return found === text
    ? undefined
    : `line ${line} of the ${side} side is "${found.slice(0, 200)}", not "${text.slice(0, 200)}"`;
}

function short(side: string, quoted: number, start: number | undefined, end: number): string {
  return `quotedLines quote ${quoted} lines of the ${side} side, and ${side}Start ${start} to ${side}End ${end} are more`;
}

function unshown({ filePath }: Anchor): string {
  return `the diff does not show these lines of ${filePath}: choose lines that it shows, or quote them in quotedLines`;
}

/** The lines of a file's diff that are in the ranges. */
async function rowsIn(objects: Shadow, entry: ChangedEntry, anchor: Anchor, context: number): Promise<DiffRow[]> {
  const [patch] = await patchesOf(objects, [entry], context);
  return rowsOf(patch?.hunks ?? Buffer.alloc(0)).filter((row) => isWithin(row, anchor));
}

/** Whether the rows contain every line of the ranges. */
function isShown(rows: readonly DiffRow[], { oldStart, oldEnd, newStart, newEnd }: Anchor): boolean {
  const holds = (side: 'old' | 'new', start: number | undefined, end: number | undefined): boolean =>
    start === undefined ||
    end === undefined ||
    rows.filter((row) => inside(row[side], start, end)).length === end - start + 1;
  return holds('old', oldStart, oldEnd) && holds('new', newStart, newEnd);
}

function isWithin(row: DiffRow, { oldStart, oldEnd, newStart, newEnd }: Anchor): boolean {
  return inside(row.old, oldStart, oldEnd) || inside(row.new, newStart, newEnd);
}

function inside(line: number | undefined, start: number | undefined, end: number | undefined): boolean {
  return line !== undefined && start !== undefined && end !== undefined && line >= start && line <= end;
}
