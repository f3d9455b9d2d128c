import { createContext, type Dispatch } from 'react';

/** A selection of rows of a hunk, which are numbered from 0 in the order of the patch. */
export interface Selection {
  /** The row at which the keyboard is. */
  readonly current: number;
  /**
   * The first and the last row of the selection, in the order in which they were selected; undefined if nothing is
   * selected.
   */
  readonly from: number | undefined;
  readonly to: number;
  /** Whether a comment on the selection is being written. */
  readonly isWriting: boolean;
}

/** An action that changes a selection. */
export type SelectionAction =
  /** The mouse was pressed on a row. With Shift, the selection extends from the keyboard's row. */
  | { readonly act: 'press'; readonly at: number; readonly isExtended: boolean }
  /** The pressed mouse was moved over a row. */
  | { readonly act: 'drag'; readonly at: number }
  /** A key moved from one row to another. With Shift, the rows in between are selected. */
  | { readonly act: 'go'; readonly start: number; readonly at: number; readonly isExtended: boolean }
  /** A comment on the selection is to be written, or on the given row if nothing is selected. */
  | { readonly act: 'write'; readonly at?: number }
  /** The pressed mouse left the rows. */
  | { readonly act: 'abandon' }
  | { readonly act: 'end' };

export const nothingChosen: Selection = { current: 0, from: undefined, to: 0, isWriting: false };

/** The selection after an action. */
export function selected(selection: Selection, done: SelectionAction): Selection {
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

/** The first and the last selected row; undefined if nothing is selected. */
export function rangeIn({ from, to }: Selection): { readonly first: number; readonly last: number } | undefined {
  return from === undefined ? undefined : { first: Math.min(from, to), last: Math.max(from, to) };
}

/** The context of the line numbers of a hunk. */
interface HunkContext {
  readonly path: string;
  readonly count: number;
  readonly current: number;
  /** The index of each row in the order of the patch, by its key. */
  readonly places: ReadonlyMap<string, number>;
  readonly select: Dispatch<SelectionAction>;
}

export const HunkSelection = createContext<HunkContext>({
  path: '',
  count: 0,
  current: 0,
  places: new Map(),
  select: () => {},
});
