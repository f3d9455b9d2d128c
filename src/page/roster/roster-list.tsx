// biome-ignore-all lint/a11y/useSemanticElements: a table draws every row, and this list only those that can be seen
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active row
import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useEffect, useLayoutEffect, useRef } from 'react';
import { enterPanel, type Step, stepOf } from '#page/list/list-keys.ts';
import { useMedia } from '#page/parts/use-media.ts';
import type { RosterLine } from './order.ts';
import { ProjectHeading } from './project-heading.tsx';
import { RosterRow, rowId } from './roster-row.tsx';

/** The height of a row in pixels: one line if it fits, else two, and a third for a question. */
const rowHeight = { wide: 30, narrow: 56, asking: 73 } as const;
const columns = ['Mark', 'Agent', 'State', 'For', 'Task', 'Harness', 'Diff', 'Mail, review, PR'] as const;
/** The height of a project's heading, in pixels. */
const headingHeight = 26;
/** The height of the sticky column titles, in pixels. */
const titlesHeight = 28;

interface ListProps {
  readonly lines: readonly RosterLine[];
  /** The selected agent. */
  readonly chosen: string | undefined;
  readonly onMove: (step: Step) => void;
}

/** The list of agents. Of ten thousand, only the visible ones are rendered. */
export function RosterList({ lines, chosen, onMove }: ListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia('(max-width: 640px)');
  const height = isNarrow ? rowHeight.narrow : rowHeight.wide;
  const heightOf = (line: RosterLine | undefined): number => (isNarrow && line?.asks ? rowHeight.asking : height);
  const headingOf = (line: RosterLine | undefined): number => (line?.heading === undefined ? 0 : headingHeight);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => headingOf(lines[at]) + heightOf(lines[at]),
    getItemKey: (at) => lines[at]?.id ?? at,
    overscan: 8,
    scrollMargin: titlesHeight,
    scrollPaddingStart: titlesHeight,
  });
  const at = chosen === undefined ? -1 : lines.findIndex(({ id }) => id === chosen);
  const special = lines
    .map(({ id, asks, heading }) => ((isNarrow && asks) || heading ? `${id}${heading ? 1 : 0}` : ''))
    .join('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured is forgotten with the heights
  useLayoutEffect(() => virtual.measure(), [virtual, height, special]);
  // Only a new selection scrolls; the list does not follow an agent that moves up or down.
  const followed = useRef<string>(undefined);
  useEffect(() => {
    if (at >= 0 && followed.current !== chosen) virtual.scrollToIndex(at, { align: 'auto' });
    if (at >= 0) followed.current = chosen;
  }, [virtual, at, chosen]);
  return (
    <div className="roster-list" ref={scroller}>
      <div
        role="treegrid"
        aria-label="Agents"
        aria-rowcount={lines.length + 1}
        aria-colcount={columns.length}
        tabIndex={0}
        {...(chosen !== undefined && at >= 0 && { 'aria-activedescendant': rowId(chosen) })}
        onKeyDown={(event) => {
          const inView = Math.max(1, Math.floor((virtual.scrollRect?.height ?? 0) / height) - 1);
          const step = stepOf(event.key, inView);
          const isEntered = event.key === 'Enter' && chosen !== undefined && enterPanel();
          if (step !== undefined) onMove(step);
          if (step !== undefined || isEntered) event.preventDefault();
        }}
      >
        <div role="row" className="roster-head" aria-rowindex={1} style={{ height: titlesHeight }}>
          {columns.map((title) => (
            <span key={title} role="columnheader">
              {title === 'Mark' ? <span className="unseen">{title}</span> : title}
            </span>
          ))}
        </div>
        <div role="rowgroup" className="roster-body" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index];
            const top = start - titlesHeight;
            return line === undefined ? null : (
              <Fragment key={key}>
                {line.heading !== undefined && <ProjectHeading {...line.heading} top={top} height={headingHeight} />}
                <RosterRow
                  line={line}
                  place={index + 1}
                  top={top + headingOf(line)}
                  height={heightOf(line)}
                  isChosen={line.id === chosen}
                />
              </Fragment>
            );
          })}
        </div>
      </div>
    </div>
  );
}
