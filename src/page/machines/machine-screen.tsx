import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { failureText } from '#page/api/failure-text.ts';
import type { StateCount, Transition } from '#page/client/fact/v1/fact_pb.js';
import { ChartDrawing } from './chart.tsx';
import { ChartPlace } from './chart-place.tsx';
import { InstancePanel } from './instance-panel.tsx';
import { Instances } from './instances.tsx';
import './machines.css';
import { machines } from './machine-names.ts';
import { useChart, useLiveTransitions, useMoment, useSurvey, useTransitions } from './queries.ts';

const route = getRouteApi('/machines/$machine');
const none: readonly Transition[] = [];
const noCounts: readonly StateCount[] = [];

/**
 * The chart of a machine: with one instance, live or at an earlier moment, or with the number of instances in each
 * state.
 */
export function MachineScreen() {
  const { machine } = route.useParams();
  return (
    <main className="machines" data-open={route.useSearch().id !== undefined}>
      <h1 className="unseen">State machines</h1>
      <Machine key={machine} machine={machine} />
    </main>
  );
}

function Machine({ machine }: { readonly machine: string }) {
  const { id = '', seq, state: within = '' } = route.useSearch();
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  useLiveTransitions(machine);
  const chart = useChart(machine);
  const { data: survey } = useSurvey(machine);
  const { data: transitions = none } = useTransitions(machine, id);
  const [ahead, setAhead] = useState('');
  const transition = seq === undefined ? transitions.at(-1) : transitions.find((one) => Number(one.seq) === seq);
  const moment = useMoment(machine, id, seq, transitions.at(-1)?.seq ?? 0n);
  const state = id === '' ? '' : (transition?.to ?? moment.data?.state ?? '');
  const counts = survey?.counts ?? noCounts;
  const busiest = useFirst(counts.toSorted((one, other) => other.count - one.count)[0]?.state ?? '');
  const totals = useMemo(() => (id === '' ? totalsOf(counts) : undefined), [id, counts]);
  const onlyIn = (wanted: string): void => {
    const search = wanted === within ? {} : { state: wanted };
    void navigate({ to: '/machines/$machine', params: { machine }, search, replace: true });
  };
  return (
    <>
      <div className="machines-side">
        <nav aria-label="State machines" className="machine-list">
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
        <Instances machine={machine} id={id} within={within} words={words} onWords={setWords} counts={counts} />
      </div>
      {chart.data === undefined ? (
        <p className="empty">{chart.error === null ? '…' : failureText(chart.error)}</p>
      ) : (
        <ChartPlace name={machine} size={chart.data} state={id === '' ? within || busiest : state}>
          <ChartDrawing
            chart={chart.data}
            state={state}
            transition={id === '' ? undefined : transition}
            ahead={ahead}
            counts={totals}
            within={id === '' ? within : ''}
            onChoose={onlyIn}
          />
        </ChartPlace>
      )}
      {id !== '' && (
        <InstancePanel
          key={id}
          machine={machine}
          id={id}
          seq={seq}
          transitions={transitions}
          moment={moment.data}
          error={moment.error}
          onAhead={setAhead}
        />
      )}
    </>
  );
}

/** The first text that was not empty. It stays the same, so that the selection does not change by itself. */
function useFirst(text: string): string {
  const first = useRef('');
  first.current ||= text;
  return first.current;
}

/** The number of instances in each state and in each group of states. */
function totalsOf(counts: readonly StateCount[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const { state, count } of counts) {
    const parts = state.split('.');
    for (const [place] of parts.entries()) {
      const group = parts.slice(0, place + 1).join('.');
      totals.set(group, (totals.get(group) ?? 0) + count);
    }
  }
  return totals;
}
