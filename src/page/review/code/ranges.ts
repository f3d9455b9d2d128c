import { type ChangeData, isDelete } from 'react-diff-view';
import { numbersOf } from './patch.ts';

/** The lines of a comment; a side without lines has neither number. */
export interface Ranges {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** The lines of rows. The old side has lines only if some of its rows were deleted. */
export function rangesOf(changes: readonly ChangeData[]): Ranges {
  const old = changes.some(isDelete) ? changes.flatMap((change) => numbersOf(change).old ?? []) : [];
  const fresh = changes.flatMap((change) => numbersOf(change).fresh ?? []);
  return { oldStart: old[0] ?? 0, oldEnd: old.at(-1) ?? 0, newStart: fresh[0] ?? 0, newEnd: fresh.at(-1) ?? 0 };
}

/** Whether a row is the last one of a range, below which the thread is shown. */
export function endsRange(change: ChangeData, { oldEnd, newEnd }: Pick<Ranges, 'oldEnd' | 'newEnd'>): boolean {
  const { old, fresh } = numbersOf(change);
  return newEnd > 0 ? fresh === newEnd : oldEnd > 0 && isDelete(change) && old === oldEnd;
}

/** Whether a row is within a range. */
export function isWithin(change: ChangeData, { oldStart, oldEnd, newStart, newEnd }: Ranges): boolean {
  const { old, fresh } = numbersOf(change);
  if (fresh !== undefined && fresh >= newStart && fresh <= newEnd) return true;
  return isDelete(change) && old !== undefined && old >= oldStart && old <= oldEnd;
}

/** A range as text: `line 4`, `lines 4 to 9`, `removed line 3`. */
export function rangeText({ oldStart, oldEnd, newStart, newEnd }: Ranges): string {
  const [start, end] = newEnd > 0 ? [newStart, newEnd] : [oldStart, oldEnd];
  if (end === 0) return 'the whole file';
  const removed = newEnd > 0 ? '' : 'removed ';
  return start === end ? `${removed}line ${start}` : `${removed}lines ${start} to ${end}`;
}
