import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { KeyMap } from '#page/parts/keys.ts';
import { enterPanel, placeAfter, type Step, stepOf } from './list-keys.ts';
import { useFocusOn, useFollowing, useSame, useWayToEnd } from './list-moves.ts';
import '#page/parts/rows.css';
import { Trouble } from '#page/parts/trouble.tsx';
import { useListKeys } from './use-list-keys.ts';
import type { Paging } from './use-listing.ts';
import { useRowsInView } from './use-rows-in-view.ts';

/** How a row is in its list. */
interface RowPlace {
  readonly isChosen: boolean;
  /** For its links and buttons: by Tab one comes to one row alone, and to the others by the list’s keys. */
  readonly tabIndex: 0 | -1;
}

interface ListProps<Row> {
  /** What it lists, for a screen reader. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** About how high a row is, in pixels: each is measured once it is drawn. */
  readonly rowHeight: number;
  /** What a row says; its main link has the class `row-link` or is marked `data-main`, or there is none. */
  readonly children: (row: Row, place: RowPlace) => ReactNode;
  /** Whether rows have the focus themselves, having no main link. */
  readonly isPlain?: boolean;
  /** What marks a row: its class, `data-wants`. */
  readonly rowProps: (row: Row) => Readonly<Record<string, string | boolean | undefined>>;
  /** Where more than these are to be had. */
  readonly paging?: Paging;
  /** How many there are in all, if that is known. */
  readonly total?: number | undefined;
  /** The open row, and how to open another; without it, the list’s keys move only the focus. */
  readonly chosen?: string | undefined;
  readonly open?: (id: string) => void;
  readonly close?: () => void;
  /** The screen’s own keys; undefined for a list that has keys only while it has the focus. */
  readonly keys?: KeyMap;
}

/** How near the end of what is known one may come before more is read, in rows. */
const nearEnd = 30;

/** A list of any length: it draws only visible rows, reads more near its end, and has the keys of every list. */
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

/** Where one is in a list, and how its keys lead on. */
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
  const goToEnd = useWayToEnd(paging, () => go(ids.length - 1));
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
  useFollowing(chosen, at, show);
  useReadingOn(paging, ids.length, virtual.range ?? { startIndex: 0, endIndex: 0 });
  return {
    virtual,
    margin,
    /** The row that Tab comes to. */
    reached: at >= 0 ? at : (virtual.range?.startIndex ?? 0),
    touch: setLast,
    /** Handles the keys of every list; returns whether it was one. */
    press: (key: string, target: EventTarget): boolean => {
      const step = stepOf(key, inView());
      if (step !== undefined) move(step);
      return (
        step !== undefined || (key === 'Enter' && chosen !== undefined && isLinkOf(target, chosen) && enterPanel())
      );
    },
  };
}

/** Reads on as one comes near the end of what is known, and says which rows are looked at. */
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

/** What is below the rows while more of them are read, or could not be. */
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
