import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface RowsInView {
  readonly list: RefObject<HTMLElement | null>;
  readonly ids: readonly string[];
  /** The approximate height of a row, in pixels. */
  readonly rowHeight: number;
  /** The index of a row that stays rendered wherever one scrolls, because it has or had the focus; -1 for none. */
  readonly kept: number;
}

export type RowsVirtualizer = Virtualizer<HTMLElement, HTMLElement>;

/**
 * Renders only the visible rows of a list. The list is in a scroll container, marked `data-scroller`, possibly below
 * other content. Rows that are added above do not move the visible rows.
 */
export function useRowsInView({ list, ids, rowHeight, kept }: RowsInView): {
  readonly virtual: RowsVirtualizer;
  readonly margin: number;
} {
  const margin = useMargin(list);
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    count: ids.length,
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: () => rowHeight,
    getItemKey: (at) => ids[at] ?? at,
    scrollMargin: margin,
    overscan: 8,
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range);
      if (kept < 0 || kept >= ids.length || drawn.includes(kept)) return drawn;
      return [...drawn, kept].sort((one, other) => one - other);
    },
  });
  useAnchor(virtual, ids);
  return { virtual, margin };
}

/** Keeps the first visible row in its place when rows are added or removed above it. */
function useAnchor(virtual: RowsVirtualizer, ids: readonly string[]): void {
  const anchor = useRef<{ readonly id: string; readonly start: number; readonly ids: readonly string[] }>(undefined);
  useLayoutEffect(() => {
    const scroller = virtual.scrollElement;
    const before = anchor.current;
    if (scroller !== null && before !== undefined && before.ids !== ids && scroller.scrollTop > 0) {
      const now = virtual.measurementsCache[ids.indexOf(before.id)]?.start;
      if (now !== undefined && now !== before.start) scroller.scrollTop += now - before.start;
    }
    const top = virtual.scrollOffset ?? 0;
    const first = virtual.getVirtualItems().find(({ end }) => end > top);
    const id = first === undefined ? undefined : ids[first.index];
    anchor.current = first === undefined || id === undefined ? undefined : { id, start: first.start, ids };
  });
}

/** The offset of the list from the top of its scroll container, in pixels. */
function useMargin(list: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const scroller = scrollerOf(list.current);
    if (scroller === null) return;
    const measure = (): void => {
      const own = list.current?.getBoundingClientRect().top ?? 0;
      const top = own - scroller.getBoundingClientRect().top + scroller.scrollTop;
      setMargin((known) => (Math.abs(known - top) < 1 ? known : top));
    };
    const observer = new ResizeObserver(measure);
    for (const child of [scroller, ...scroller.children]) observer.observe(child);
    measure();
    return () => observer.disconnect();
  }, [list]);
  return margin;
}

function scrollerOf(list: HTMLElement | null): HTMLElement | null {
  return list?.closest<HTMLElement>('[data-scroller]') ?? null;
}
