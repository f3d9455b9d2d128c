import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { RosterLine } from './order.ts';
import { RosterRow } from './roster-row.tsx';

/** The height of a row, in pixels. */
const rowHeight = 34;

/** The list itself: of ten thousand agents only those that can be seen are drawn. */
export function RosterList({ lines }: { readonly lines: readonly RosterLine[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (at) => lines[at]?.id ?? at,
    overscan: 8,
  });
  return (
    <div ref={scroller} className="roster-list">
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index];
          return line === undefined ? null : <RosterRow key={key} line={line} top={start} />;
        })}
      </ul>
    </div>
  );
}
