import { createContext, type Dispatch } from 'react';

/** What is chosen of the rows of a hunk, which are counted from 0 in the order of the patch. */
export interface Selection {
  /** The row that the keyboard is at. */
  readonly current: number;
  /** The row at which it was begun, and the one to which it goes; undefined if nothing is chosen. */
  readonly from: number | undefined;
  readonly to: number;
  /** Whether a comment on it is being written. */
  readonly isWriting: boolean;
}

/** What a person does to a choice. */
export type Selecting =
  /** The mouse is pressed at a row; with Shift it takes all from the row that the keyboard is at. */
  | { readonly act: 'press'; readonly at: number; readonly isExtended: boolean }
  /** The pressed mouse is moved over a row. */
  | { readonly act: 'drag'; readonly at: number }
  /** A key goes from a row to another; with Shift it takes all that it goes over. */
  | { readonly act: 'go'; readonly start: number; readonly at: number; readonly isExtended: boolean }
  /** What is chosen is to be commented on; a row alone if nothing is. */
  | { readonly act: 'write'; readonly at?: number }
  /** The mouse has gone away before it was released. */
  | { readonly act: 'abandon' }
  | { readonly act: 'end' };

export const nothingChosen: Selection = { current: 0, from: undefined, to: 0, isWriting: false };

/** The choice after what was done. */
export function selected(selection: Selection, done: Selecting): Selection {
  const { current, from, isWriting } = selection;
  const isDragged = from !== undefined && !isWriting;
  if (done.act === 'press') {
    return { current: done.at, from: done.isExtended ? current : done.at, to: done.at, isWriting: false };
  }
  if (done.act === 'go') {
    return {
      current: done.at,
      from: done.isExtended ? (from ?? done.start) : undefined,
      to: done.at,
      isWriting: false,
    };
  }
  if (done.act === 'drag') return isDragged && selection.to !== done.at ? { ...selection, to: done.at } : selection;
  if (done.act === 'write') {
    if (done.at !== undefined) return { ...selection, from: from ?? done.at, to: done.at, isWriting: true };
    return isDragged ? { ...selection, isWriting: true } : selection;
  }
  if (done.act === 'abandon' && !isDragged) return selection;
  return { ...selection, from: undefined, isWriting: false };
}

/** The chosen rows, from the first to the last; nothing if none are. */
export function rangeIn({ from, to }: Selection): { readonly first: number; readonly last: number } | undefined {
  return from === undefined ? undefined : { first: Math.min(from, to), last: Math.max(from, to) };
}

/** What the numbers of lines need of their hunk. */
interface HunkContext {
  readonly path: string;
  readonly count: number;
  readonly current: number;
  /** The place of a row in the order of the patch, by its key. */
  readonly places: ReadonlyMap<string, number>;
  readonly select: Dispatch<Selecting>;
}

export const HunkSelection = createContext<HunkContext>({
  path: '',
  count: 0,
  current: 0,
  places: new Map(),
  select: () => {},
});
