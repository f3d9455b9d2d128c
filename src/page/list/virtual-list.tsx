import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { KeyMap } from '#page/parts/keys.ts';
import { enterPanel, placeAfter, type Step, stepOf } from './list-keys.ts';
import { useFocusOn, useGoToEnd, useSame, useScrollToChosen } from './list-moves.ts';
import '#page/parts/rows.css';
import { Trouble } from '#page/parts/trouble.tsx';
import { useListKeys } from './use-list-keys.ts';
import type { Paging } from './use-listing.ts';
import { useRowsInView } from './use-rows-in-view.ts';

/** The state of a row in its list. */
interface RowPlace {
  readonly isChosen: boolean;
  /** For the row's links and buttons: Tab reaches only one row, and the list’s keys reach the others. */
  readonly tabIndex: 0 | -1;
}

interface ListProps<Row> {
  /** The list's name for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** The approximate height of a row, in pixels. Rows are measured once they are rendered. */
  readonly rowHeight: number;
  /** The content of a row. Its main link, if it has one, has the class `row-link` or is marked `data-main`. */
  readonly children: (row: Row, place: RowPlace) => ReactNode;
  /** Whether rows themselves can have the focus, because they have no main link. */
  readonly isPlain?: boolean;
  /** The attributes of a row, such as its class and `data-wants`. */
  readonly rowProps: (row: Row) => Readonly<Record<string, string | boolean | undefined>>;
  /** How to read more rows. */
  readonly paging?: Paging;
  /** The total number of rows, if known. */
  readonly total?: number | undefined;
  /** The selected row, and how to select another one. Without it, the list’s keys only move the focus. */
  readonly chosen?: string | undefined;
  readonly open?: (id: string) => void;
  readonly close?: () => void;
  /** The screen’s own keys; undefined for a list whose keys work only while it has the focus. */
  readonly keys?: KeyMap;
}

/** More rows are read when fewer than this many remain below the visible ones. */
const nearEnd = 30;

/** A list of any length: it renders only visible rows, reads more near its end, and has the keys of every list. */
export function VirtualList<Row>(props: ListProps<Row>) {
  const { label, rows, idOf, children, rowProps, paging, total } = props;
  const list = useRef<HTMLUListElement>(null);
  const { virtual, margin, reached, touch, press } = useList(props, list);
  const size = paging?.hasMore === true ? (total ?? -1) : rows.length;
  return (
    <>
      <ul
        ref={list}
        className="rows virtual"
        aria-label={label}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={(event) => {
          const isBare = !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented);
          if (isBare && press(event.key, event.target)) event.preventDefault();
        }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const id = idOf(row);
          const isChosen = id === props.chosen;
          const tabIndex = index === reached ? 0 : -1;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              data-row={id}
              data-chosen={isChosen}
              aria-setsize={size}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - margin}px)` }}
              onFocus={() => touch(id)}
              {...(props.isPlain && { tabIndex })}
              {...rowProps(row)}
            >
              {children(row, { isChosen, tabIndex })}
            </li>
          );
        })}
      </ul>
      {paging !== undefined && <Foot paging={paging} />}
    </>
  );
}

/** The state of a list: its visible rows, its current row and its keys. */
function useList<Row>(props: ListProps<Row>, list: RefObject<HTMLElement | null>) {
  const { rows, rowHeight, paging, chosen } = props;
  const ids = useSame(rows.map(props.idOf));
  const [last, setLast] = useState<string>();
  const current = chosen ?? last;
  const at = current === undefined ? -1 : ids.indexOf(current);
  const { virtual, margin } = useRowsInView({ list, ids, rowHeight, kept: at });
  const show = (place: number): void => virtual.scrollToIndex(place, { align: 'auto' });
  const focusOn = useFocusOn(list, ids);
  const go = (place: number | undefined): void => {
    const id = place === undefined ? undefined : ids[place];
    if (place === undefined || id === undefined) return;
    show(place);
    setLast(id);
    focusOn(id);
    if (id !== chosen) props.open?.(id);
  };
  const goToEnd = useGoToEnd(paging, () => go(ids.length - 1));
  const move = (step: Step): void => {
    if (!goToEnd(step === 'last')) go(placeAfter(step, at, ids.length));
  };
  const inView = (): number => Math.max(1, Math.floor((virtual.scrollRect?.height ?? 0) / rowHeight) - 1);
  const close = (): void => {
    if (chosen !== undefined) {
      setLast(chosen);
      focusOn(chosen);
    }
    props.close?.();
  };
  useListKeys({ move, inView, close: chosen === undefined ? undefined : close, keys: props.keys });
  useScrollToChosen(chosen, at, show);
  useReadingOn(paging, ids.length, virtual.range ?? { startIndex: 0, endIndex: 0 });
  return {
    virtual,
    margin,
    /** The index of the row that Tab reaches. */
    reached: at >= 0 ? at : (virtual.range?.startIndex ?? 0),
    touch: setLast,
    /** Handles the keys of every list; returns whether the key was one of them. */
    press: (key: string, target: EventTarget): boolean => {
      const step = stepOf(key, inView());
      if (step !== undefined) move(step);
      return (
        step !== undefined || (key === 'Enter' && chosen !== undefined && isLinkOf(target, chosen) && enterPanel())
      );
    },
  };
}

/** Reads more rows near the end of the known ones, and reports which row is the first visible one. */
function useReadingOn(
  paging: Paging | undefined,
  count: number,
  { startIndex, endIndex }: { readonly startIndex: number; readonly endIndex: number },
): void {
  useEffect(() => {
    if (paging === undefined) return;
    paging.seen.current = startIndex;
    if (paging.hasMore && paging.problem === null && endIndex >= count - nearEnd) void paging.readMore();
  });
}

/** Shown below the rows while more of them are being read, or could not be read. */
function Foot({ paging: { isReading, problem, readMore } }: { readonly paging: Paging }) {
  return (
    <div className="list-foot" aria-live="polite">
      {isReading && <span className="muted">Loading …</span>}
      {problem !== null && !isReading && (
        <>
          <Trouble error={problem} />
          <button type="button" className="button" onClick={() => void readMore()}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}

function isLinkOf(target: EventTarget, id: string): boolean {
  return target instanceof Element && target.matches(`[data-row="${CSS.escape(id)}"] .row-link`);
}
