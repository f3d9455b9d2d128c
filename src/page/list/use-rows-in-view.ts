import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface RowsInView {
  readonly list: RefObject<HTMLElement | null>;
  readonly ids: readonly string[];
  /** About how high a row is, in pixels. */
  readonly rowHeight: number;
  /** The row that stays drawn wherever one scrolls, because it has or had the focus; -1 if there is none. */
  readonly kept: number;
}

export type RowsVirtualizer = Virtualizer<HTMLElement, HTMLElement>;

/**
 * Draws of a list's rows those that can be seen. The list is in something that scrolls, marked `data-scroller`, maybe
 * below other things. What one reads stays where it is when rows come before it.
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

/** The row that one reads first, and what is brought back to its place when rows come or go above it. */
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

/** How far below the beginning of what scrolls the list begins, in pixels. */
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
