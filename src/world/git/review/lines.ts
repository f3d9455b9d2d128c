/** A line of a unified diff with its place on each side. */
export interface DiffRow {
  readonly marker: ' ' | '-' | '+';
  readonly text: string;
  /** The line number, from one; unset on a side that the line is not on. */
  readonly old?: number;
  readonly new?: number;
}

/** A replacement of lines: on each side `count` lines from `start` on, or, if `count` is 0, none after `start`. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** A range of lines, counted from one, both ends included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The lines of a file, without newlines. A last line counts even if no newline ends it. */
export function linesOf(content: Buffer): string[] {
  const lines = content.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Whether git would treat it as binary, judging by content alone. */
export function isBinary(content: Buffer): boolean {
  return content.subarray(0, 8_000).includes(0);
}

/** A line without the carriage return that other systems end it with. */
export function bare(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Every line that a patch shows. */
export function rowsOf(patch: Buffer): DiffRow[] {
  const rows: DiffRow[] = [];
  let [oldLine, newLine] = [0, 0];
  for (const line of linesOf(patch)) {
    const [, oldStart, , newStart] = head.exec(line) ?? [];
    const marker = line[0];
    const text = line.slice(1);
    if (oldStart !== undefined) [oldLine, newLine] = [Number(oldStart), Number(newStart)];
    else if (marker === ' ') rows.push({ marker, text, old: oldLine++, new: newLine++ });
    else if (marker === '-') rows.push({ marker, text, old: oldLine++ });
    else if (marker === '+') rows.push({ marker, text, new: newLine++ });
  }
  return rows;
}

/** The hunks of a patch without context. */
export function hunksOf(patch: Buffer): Hunk[] {
  return linesOf(patch).flatMap((line): Hunk[] => {
    const [, oldStart, oldCount = '1', newStart, newCount = '1'] = head.exec(line) ?? [];
    if (oldStart === undefined) return [];
    return [
      {
        oldStart: Number(oldStart),
        oldCount: Number(oldCount),
        newStart: Number(newStart),
        newCount: Number(newCount),
      },
    ];
  });
}

/**
 * Where a range of the old side is on the new one; undefined if its lines changed. Lines inserted within the range
 * count as a change, lines inserted at its edge do not.
 */
export function carriedRange(hunks: readonly Hunk[], { start, end }: LineRange): LineRange | undefined {
  let shift = 0;
  for (const { oldStart, oldCount, newCount } of hunks) {
    const last = oldStart + oldCount - 1;
    const touches = oldCount === 0 ? oldStart >= start && oldStart < end : oldStart <= end && last >= start;
    if (touches) return undefined;
    if (oldStart < start) shift += newCount - oldCount;
  }
  return { start: start + shift, end: end + shift };
}

/** The lines of the new side that replaced a range of the old side whose lines changed. */
export function nearRange(hunks: readonly Hunk[], { start, end }: LineRange): LineRange {
  let [first, last] = [start, end];
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    const isBefore = oldCount === 0 ? oldStart < start : oldStart + oldCount - 1 < start;
    if (isBefore) first += newCount - oldCount;
    else if (oldCount > 0 && oldStart < start) first = newStart;
    if (oldStart <= end) last += newCount - oldCount;
  }
  return { start: Math.max(first, 1), end: Math.max(first, last, 1) };
}
