import { Failure } from '#contract/failure.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import type { WritePermit } from '#world/git/repository/write-permit.ts';
import { contentOf, openObjects } from './blobs.ts';
import { FileMoves } from './carry.ts';
import { bare, isBinary, type LineRange, linesOf } from './lines.ts';
import { openPlain } from './plain-file.ts';
import { findFile } from './stored-file.ts';
import { viewWorktree } from './worktree-view.ts';

export interface SuggestionOptions {
  readonly snapshotSha: string;
  readonly filePath: string;
  /** The lines of the snapshot that the suggestion replaces. */
  readonly range: LineRange;
  readonly suggestion: readonly string[];
  /** Called before the file is written; undefined if the order cannot be cancelled. */
  readonly permit?: WritePermit;
}

/** The file that was changed, and the lines that the suggestion now occupies in it. */
export interface AppliedSuggestion extends LineRange {
  readonly filePath: string;
}

/**
 * Replaces lines in the worktree with a suggestion for lines of a snapshot, if those lines are still the same, even if
 * they or the file moved. The file keeps its mode, its line endings, and whether a newline ends its last line. Nothing
 * outside of the worktree and nothing behind a link is written.
 * @throws FAILED_PRECONDITION when the lines changed, with what is there, or when the file is not a regular file;
 *   INVALID_ARGUMENT when the snapshot has no such lines; ABORTED when the file keeps changing
 */
export function applySuggestion(at: CheckoutFolder, order: SuggestionOptions): Promise<AppliedSuggestion> {
  const { snapshotSha, filePath, range, suggestion, permit } = order;
  return viewWorktree(at, { objects: 'discard', hashing: 'changed' }, async ({ shadow, treeSha }) => {
    await using objects = await openObjects(at, [shadow]);
    const before = await linesBefore(objects, order);
    const expected = before.slice(range.start - 1, range.end);
    const moves = await FileMoves.between(objects, snapshotSha, treeSha);
    const { state, path, range: now, near = range } = await moves.follow(filePath, range);
    if (state === 'gone') throw changed(`${filePath} is gone`);
    const stored = await findFile(objects, treeSha, path);
    if (stored === undefined) throw changed(`${path} is gone`);
    if (!stored.mode.startsWith('100')) throw changed(`${path} is not a regular file`);
    await using file = await openPlain(at.workTree, stored.path);
    if (file === undefined) throw changed(`${shownPath(stored.path)} is not a regular file of the worktree`);
    const lines = linesOf(file.content);
    const found = now === undefined ? [] : lines.slice(now.start - 1, now.end);
    if (now === undefined || found.map(bare).join('\n') !== expected.join('\n')) {
      throw changed(`lines ${range.start} to ${range.end} of ${filePath} changed since the round`, nearby(lines, near));
    }
    const since = findApplied({ before, lines, suggestion: suggestion.map(bare) }, range, now);
    if (since !== undefined) {
      const where = `${path} already, in lines ${since.start} to ${since.end}`;
      throw new Failure('SUGGESTION_NOT_APPLICABLE', `the suggestion is applied in ${where}: reply in the thread`);
    }
    await file.replace(withLines(file.content, now, suggestion), permit);
    return { filePath: path, start: now.start, end: now.start + suggestion.length - 1 };
  });
}

function changed(what: string, found: readonly string[] = []): Failure {
  const there = found.length === 0 ? '' : `, and there is now:\n${found.join('\n')}\n`;
  return new Failure(
    'SUGGESTION_NOT_APPLICABLE',
    `${what}${there || ': '}Make the change by hand, or reply in the thread`,
  );
}

/**
 * Where a suggestion that only adds lines was already applied; undefined if it was not. The lines that it replaces are
 * still there, so applying it again would insert it twice. A place where the snapshot had the same lines does not count.
 */
function findApplied(
  { before, lines, suggestion }: Readonly<Record<'before' | 'lines' | 'suggestion', readonly string[]>>,
  range: LineRange,
  now: LineRange,
): LineRange | undefined {
  const count = range.end - range.start + 1;
  const holds = (text: readonly string[], from: number, wanted: readonly string[]): boolean =>
    from >= 0 &&
    wanted.every((line, index) => text[from + index] !== undefined && bare(text[from + index] ?? '') === line);
  const expected = before.slice(range.start - 1, range.end);
  for (let kept = 0; kept + count <= suggestion.length; kept += 1) {
    if (suggestion.length === count || !holds(suggestion, kept, expected)) continue;
    const from = now.start - 1 - kept;
    if (holds(lines, from, suggestion) && !holds(before, range.start - 1 - kept, suggestion)) {
      return { start: from + 1, end: from + suggestion.length };
    }
  }
  return undefined;
}

/** The lines of the worktree where those of the suggestion were, at most ten. */
function nearby(lines: readonly string[], { start, end }: LineRange): readonly string[] {
  return lines.slice(start - 1, Math.min(end, start + 9)).map((line) => bare(line).slice(0, 200));
}

/** All lines of the file in the snapshot. */
async function linesBefore(objects: Shadow, { snapshotSha, filePath, range }: SuggestionOptions): Promise<string[]> {
  const file = await findFile(objects, snapshotSha, filePath);
  if (!file?.mode.startsWith('100')) {
    throw new Failure('INVALID_RANGE', `the snapshot ${snapshotSha} has no regular file ${filePath}`);
  }
  const content = await contentOf(objects, file.oid);
  const lines = isBinary(content) ? [] : linesOf(content);
  if (range.end < range.start || range.end > lines.length) {
    const said = `${filePath} has ${lines.length} lines in the snapshot`;
    throw new Failure('INVALID_RANGE', `${said}: ${range.start} to ${range.end} is not a range of them`);
  }
  return lines.map(bare);
}

/**
 * The content with lines replaced. Every new line ends as the first replaced one does; a last line without a newline
 * stays without.
 */
function withLines(content: Buffer, { start, end }: LineRange, suggestion: readonly string[]): Buffer {
  const from = startOfLine(content, start);
  const to = startOfLine(content, end + 1);
  const replaced = content.subarray(from, to);
  const lineFeed = replaced.indexOf('\n');
  const sample = lineFeed < 0 ? content : replaced;
  const at = sample.indexOf('\n');
  const ending = at > 0 && sample[at - 1] === 0x0d ? '\r\n' : '\n';
  const isOpen = to === content.length && content.at(-1) !== 0x0a;
  const text = suggestion.map(bare).join(ending) + (isOpen ? '' : ending);
  return Buffer.concat([content.subarray(0, from), Buffer.from(text), content.subarray(to)]);
}

/** The offset at which a line begins, lines counted from one; the content's end for the line after the last. */
function startOfLine(content: Buffer, line: number): number {
  let at = 0;
  for (let count = 1; count < line; count += 1) {
    const end = content.indexOf('\n', at);
    if (end < 0) return content.length;
    at = end + 1;
  }
  return at;
}
