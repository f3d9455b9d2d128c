import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { useActStarter } from '#page/acts/act-starter.tsx';
import { useFleet } from '#page/fleet/fleet.ts';
import { placeAfter, type Step } from '#page/list/list-keys.ts';
import { countsOf, noFilter } from './filter.ts';
import './roster.css';
import { useRowNames } from '#page/fleet/row-names.ts';
import { LostWindows } from './lost-windows.tsx';
import { useRosterKeys } from './roster-keys.ts';
import { RosterList } from './roster-list.tsx';
import { Toolbar } from './toolbar.tsx';
import { useFilter } from './use-filter.ts';
import { useLines } from './use-lines.ts';

/** The list of agents, those that need a person first, and the selected one next to it. */
export function RosterScreen() {
  const fleet = useFleet();
  const { agentId: chosen } = useParams({ strict: false });
  const navigate = useNavigate();
  const [filter, setFilter] = useFilter();
  const search = useRef<HTMLInputElement>(null);
  const counts = useMemo(() => countsOf(fleet.rows.values(), filter.withHidden), [fleet, filter.withHidden]);
  const { lines, choices } = useLines(fleet, filter, useRowNames());
  // After the panel is closed, the keys continue from the last selected agent.
  const last = useRef(chosen);
  if (chosen !== undefined) last.current = chosen;
  const move = (step: Step): void => {
    const at = lines.findIndex(({ id }) => id === last.current);
    const line = lines[placeAfter(step, at, lines.length) ?? -1];
    if (line !== undefined && line.id !== chosen) {
      void navigate({ to: '/agents/$agentId', params: { agentId: line.id }, replace: chosen !== undefined });
    }
  };
  useRosterKeys({ rows: fleet.rows, lines, chosen, search, move });
  return (
    <main className="roster" data-open={chosen !== undefined}>
      <h1 className="unseen">Agents</h1>
      <div className="roster-side">
        <Toolbar
          counts={counts}
          choices={choices}
          filter={filter}
          onFilter={setFilter}
          search={search}
          onEnter={() => move('first')}
        />
        <LostWindows />
        {fleet.whole && lines.length === 0 ? (
          <NoLines hasAgents={fleet.rows.size > 0} onClear={() => setFilter(noFilter)} />
        ) : (
          <RosterList lines={lines} chosen={chosen} onMove={move} />
        )}
      </div>
      <Outlet />
    </main>
  );
}

interface NoLinesProps {
  readonly hasAgents: boolean;
  readonly onClear: () => void;
}

function NoLines({ hasAgents, onClear }: NoLinesProps) {
  const { launch } = useActStarter();
  if (hasAgents)
    return (
      <div className="empty">
        <p>No matches.</p>
        <button type="button" className="button" onClick={onClear}>
          Clear filters
        </button>
      </div>
    );
  return (
    <div className="empty">
      <h2>No agents yet</h2>
      <p>Launch one, and watch it here.</p>
      <button type="button" className="button primary" onClick={launch}>
        Launch an agent
      </button>
    </div>
  );
}
