import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useRow } from '#page/fleet/fleet.ts';
import { lookOf } from '#page/fleet/look.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';
import type { RosterLine } from './order.ts';

/** One agent in the list. */
export const RosterRow = memo(({ line, top }: { readonly line: RosterLine; readonly top: number }) => {
  const row = useRow(line.id);
  const agent = row?.agent;
  if (row === undefined || agent === undefined) return null;
  const look = lookOf(agent);
  return (
    <li className="roster-row" data-kind={look.kind} style={{ transform: `translateY(${top}px)` }}>
      <span className="mark">{row.mark}</span>
      <Link to="/agents/$agentId" params={{ agentId: line.id }} className="name" data-level={line.level}>
        {agent.name}
      </Link>
      <span className="state">{look.word}</span>
      <Elapsed since={agent.stateChangedAt} />
      <span className="reason">{agent.stateReason.split('\n')[0]}</span>
      <span className="branch">{agent.branch}</span>
    </li>
  );
});
