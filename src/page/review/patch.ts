/** One row of a diff. A side on which it does not stand has no number. */
export interface DiffRow {
  readonly kind: 'context' | 'added' | 'deleted';
  readonly old?: number;
  readonly new?: number;
  /** Without its marker. */
  readonly text: string;
}

/** Rows that stand together in a file. */
export interface Hunk {
  /** What git says of where it is, such as a function's name. */
  readonly where: string;
  readonly oldStart: number;
  readonly newStart: number;
  readonly rows: readonly DiffRow[];
}

/** Lines that a comment is about; a side that it has none of has neither number. */
export interface Ranges {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export const markers = { context: ' ', added: '+', deleted: '-' } as const;
const kinds: Readonly<Record<string, DiffRow['kind'] | undefined>> = { ' ': 'context', '+': 'added', '-': 'deleted' };
const headForm = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** The hunks of a unified patch without a head. */
export function hunksOf(patch: string): readonly Hunk[] {
  const hunks: (Hunk & { rows: DiffRow[] })[] = [];
  let [old, fresh] = [0, 0];
  for (const line of patch.split('\n')) {
    const head = headForm.exec(line);
    if (head !== null) {
      [old, fresh] = [Number(head[1]), Number(head[2])];
      hunks.push({ where: head[3] ?? '', oldStart: old, newStart: fresh, rows: [] });
      continue;
    }
    const kind = kinds[line[0] ?? ''];
    const hunk = hunks.at(-1);
    if (kind === undefined || hunk === undefined) continue;
    const text = line.slice(1);
    if (kind === 'context') hunk.rows.push({ kind, old: old++, new: fresh++, text });
    else if (kind === 'added') hunk.rows.push({ kind, new: fresh++, text });
    else hunk.rows.push({ kind, old: old++, text });
  }
  return hunks;
}

/** The lines that rows stand on. The old side counts only where something of it was taken away. */
export function rangesOf(rows: readonly DiffRow[]): Ranges {
  const hasDeleted = rows.some(({ kind }) => kind === 'deleted');
  const old = hasDeleted ? rows.flatMap((row) => row.old ?? []) : [];
  const fresh = rows.flatMap((row) => row.new ?? []);
  return { oldStart: old[0] ?? 0, oldEnd: old.at(-1) ?? 0, newStart: fresh[0] ?? 0, newEnd: fresh.at(-1) ?? 0 };
}

/** Whether a row is the last one of a range: there its thread is shown. */
export function endsRange(row: DiffRow, { oldEnd, newEnd }: Pick<Ranges, 'oldEnd' | 'newEnd'>): boolean {
  return newEnd > 0 ? row.new === newEnd : oldEnd > 0 && row.kind === 'deleted' && row.old === oldEnd;
}

/** Whether a row is within a range. */
export function isWithin(row: DiffRow, { oldStart, oldEnd, newStart, newEnd }: Ranges): boolean {
  const onNew = row.new !== undefined && row.new >= newStart && row.new <= newEnd;
  return onNew || (row.kind === 'deleted' && row.old !== undefined && row.old >= oldStart && row.old <= oldEnd);
}

/** A range as people say it: `line 4`, `lines 4 to 9`, `removed line 3`. */
export function rangeText({ oldStart, oldEnd, newStart, newEnd }: Ranges): string {
  const [start, end] = newEnd > 0 ? [newStart, newEnd] : [oldStart, oldEnd];
  if (end === 0) return 'the whole file';
  const removed = newEnd > 0 ? '' : 'removed ';
  return start === end ? `${removed}line ${start}` : `${removed}lines ${start} to ${end}`;
}

/** What a suggestion does to lines: what both begin and end with stays as it is. */
export function changeOf(
  before: readonly string[],
  after: readonly string[],
): readonly Pick<DiffRow, 'kind' | 'text'>[] {
  const shorter = Math.min(before.length, after.length);
  let top = 0;
  while (top < shorter && before[top] === after[top]) top += 1;
  let end = 0;
  while (end < shorter - top && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const rows = (kind: DiffRow['kind'], texts: readonly string[]) => texts.map((text) => ({ kind, text }));
  return [
    ...rows('context', before.slice(0, top)),
    ...rows('deleted', before.slice(top, before.length - end)),
    ...rows('added', after.slice(top, after.length - end)),
    ...rows('context', after.slice(after.length - end)),
  ];
}
