// biome-ignore-all lint/a11y/useSemanticElements: a table draws every row, and this list only those that can be seen
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active row
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { statusOf } from '#page/fleet/agent-status.ts';
import { useRow } from '#page/fleet/fleet.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { Diff, Doing, doingText } from './doing.tsx';
import type { RosterLine } from './order.ts';
import { Signs } from './signs.tsx';

interface RowProps {
  readonly line: RosterLine;
  /** Its position in the list, from 1. */
  readonly place: number;
  /** Its offset from the top of the list, in pixels. */
  readonly top: number;
  readonly height: number;
  readonly isChosen: boolean;
}

/** The id of an agent's row in the document. */
export function rowId(agentId: string): string {
  return `row-${agentId}`;
}

/** An agent in the list. Re-renders only when its own row changes. */
export const RosterRow = memo(({ line, place, top, height, isChosen }: RowProps) => {
  const row = useRow(line.id);
  const agent = row?.agent;
  if (row === undefined || agent === undefined) return null;
  const status = statusOf(agent);
  return (
    <div
      role="row"
      id={rowId(line.id)}
      className="roster-row"
      data-kind={status.kind}
      data-tall={line.asks}
      aria-level={line.level}
      aria-rowindex={place + 1}
      aria-selected={isChosen}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <span role="gridcell" className="mark">
        {row.mark !== '' && <kbd title={`mark ${row.mark}`}>{row.mark}</kbd>}
      </span>
      <span role="gridcell" className="name" data-level={line.level} data-last={line.isLast}>
        <Link to="/agents/$agentId" params={{ agentId: line.id }} tabIndex={-1} title={agent.name} preload={false}>
          {agent.name}
        </Link>
      </span>
      <span role="gridcell" className="state">
        <span className="agent-status" data-kind={status.kind}>
          {status.word}
        </span>
      </span>
      <span role="gridcell" className="for">
        <Elapsed since={agent.endedAt || agent.stateChangedAt || agent.createdAt} />
      </span>
      <span role="gridcell" className="detail" title={doingText(agent)}>
        <Doing agent={agent} />
      </span>
      <span role="gridcell" className="harness">
        {agent.harness}
      </span>
      <span role="gridcell" className="diff">
        <Diff size={agent.diff} />
      </span>
      <span role="gridcell" className="around">
        <Signs row={row} isBrief />
      </span>
    </div>
  );
});
