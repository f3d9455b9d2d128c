import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { failureText } from '#page/api/failure-text.ts';
import type { SurveyMachineResponse, Transition } from '#page/client/fact/v1/fact_pb.js';
import { ChartDrawing } from './chart.tsx';
import { ChartPlace } from './chart-place.tsx';
import { LifePanel } from './life-panel.tsx';
import './machines.css';
import { machines } from './machine-names.ts';
import { useChart, useMoves, useMovesAsTheyHappen, useSurvey } from './queries.ts';

const route = getRouteApi('/machines/$machine');
const none: readonly Transition[] = [];

/** A machine's chart: one life of it as it moves, at any of its moments, or how many lives are in each state. */
export function MachineScreen() {
  const { machine } = route.useParams();
  const { id = '', seq } = route.useSearch();
  useMovesAsTheyHappen(machine);
  const chart = useChart(machine);
  const survey = useSurvey(machine);
  const { data: moves = none } = useMoves(machine, id);
  const [ahead, setAhead] = useState('');
  const at = seq === undefined ? undefined : moves.findIndex((move) => Number(move.seq) === seq);
  const move = at === undefined ? moves.at(-1) : moves[at];
  const present = survey.data?.subjects.find((subject) => subject.id === id)?.state;
  const state = id === '' ? '' : (move?.to ?? present ?? '');
  const counts = useMemo(() => (id === '' ? countsOf(survey.data) : undefined), [id, survey.data]);
  return (
    <main className="machines">
      <h1 className="unseen">Machines</h1>
      <div className="machines-side">
        <nav aria-label="Machines" className="machine-list">
          {machines.map(({ name, label }) => (
            <Link
              key={name}
              to="/machines/$machine"
              params={{ machine: name }}
              className="tab"
              data-active={name === machine}
            >
              {label}
            </Link>
          ))}
        </nav>
        <Lives machine={machine} id={id} survey={survey.data} />
      </div>
      {chart.data === undefined ? (
        <p className="empty">{chart.error === null ? '…' : failureText(chart.error)}</p>
      ) : (
        <ChartPlace name={machine} state={state}>
          <ChartDrawing
            chart={chart.data}
            state={state}
            move={id === '' ? undefined : move}
            ahead={ahead}
            counts={counts}
          />
        </ChartPlace>
      )}
      {id !== '' && (
        <LifePanel key={`${machine} ${id}`} machine={machine} id={id} seq={seq} moves={moves} onAhead={setAhead} />
      )}
    </main>
  );
}

interface LivesProps {
  readonly machine: string;
  readonly id: string;
  readonly survey: SurveyMachineResponse | undefined;
}

/** Which lives there are, the newest first. */
function Lives({ machine, id, survey }: LivesProps) {
  const total = survey?.counts.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <section aria-label="Lives" className="lives">
      <Link to="/machines/$machine" params={{ machine }} search={{}} className="life" data-active={id === ''}>
        <span>All of them</span>
        <span className="muted">{total}</span>
      </Link>
      {survey?.subjects.map((subject) => (
        <Link
          key={subject.id}
          to="/machines/$machine"
          params={{ machine }}
          search={{ id: subject.id }}
          className="life"
          data-active={subject.id === id}
        >
          <span>{subject.name || subject.id}</span>
          <span className="muted">{subject.state}</span>
        </Link>
      ))}
    </section>
  );
}

/** How many lives are in each state and in each group of states. */
function countsOf(survey: SurveyMachineResponse | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { state, count } of survey?.counts ?? []) {
    const parts = state.split('.');
    for (const [place] of parts.entries()) {
      const group = parts.slice(0, place + 1).join('.');
      counts.set(group, (counts.get(group) ?? 0) + count);
    }
  }
  return counts;
}
