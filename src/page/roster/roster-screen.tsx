import { Outlet } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFleet } from '#page/fleet/fleet.ts';
import { orderOf } from './order.ts';
import { RosterList } from './roster-list.tsx';
import './roster.css';

/** Every agent with what it is at, those that need a person first; beside them the one that is looked at. */
export function RosterScreen() {
  const { rows, whole } = useFleet();
  const lines = useMemo(() => orderOf(rows.values()), [rows]);
  return (
    <main className="roster">
      <h1 className="unseen">Agents</h1>
      {whole && lines.length === 0 && <p className="empty">No agents yet. Launch one with `muster new`.</p>}
      <RosterList lines={lines} />
      <Outlet />
    </main>
  );
}
