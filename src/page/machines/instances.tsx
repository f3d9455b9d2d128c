import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { MachineSubject, StateCount } from '#page/client/fact/v1/fact_pb.js';
import { RowLink } from '#page/list/row-link.tsx';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { useSettled } from '#page/parts/settled.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import './instances.css';
import { useInstances } from './queries.ts';

interface InstancesProps {
  readonly machine: string;
  /** The selected instance; empty for none. */
  readonly id: string;
  /** The state, or group of states, to which the list is narrowed; empty for all. */
  readonly within: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly counts: readonly StateCount[];
}

const idOf = ({ id }: MachineSubject): string => id;

/** The instances of a machine, newest first, searched by words and state. */
export function Instances({ machine, id, within, words, onWords, counts }: InstancesProps) {
  const navigate = useNavigate();
  const search = useRef<HTMLInputElement>(null);
  const { rows, error, isPending, paging, total } = useInstances(machine, useSettled(words), within);
  const to = '/machines/$machine';
  const kept = within === '' ? {} : { state: within };
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-label="Instances" className="instances">
      <div className="instances-head">
        <Link to={to} params={{ machine }} search={kept} className="instance all" data-active={id === ''}>
          <span>All instances</span>
          <span className="muted">{all}</span>
        </Link>
        <label>
          <span className="unseen">Search by name, id and state</span>
          <input
            ref={search}
            type="search"
            placeholder="Search: name, id, state"
            value={words}
            maxLength={200}
            aria-keyshortcuts="/"
            onChange={(event) => onWords(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') event.currentTarget.blur();
            }}
          />
        </label>
        <fieldset className="states">
          <legend className="unseen">Only in this state</legend>
          {counts.map(({ state, count }) => (
            <button
              key={state}
              type="button"
              className="chip"
              aria-pressed={state === within}
              onClick={() =>
                void navigate({ to, params: { machine }, search: state === within ? {} : { state }, replace: true })
              }
            >
              {state} <b>{count}</b>
            </button>
          ))}
          {within !== '' && !counts.some(({ state }) => state === within) && (
            <button
              type="button"
              className="chip"
              aria-pressed="true"
              onClick={() => void navigate({ to, params: { machine }, search: {}, replace: true })}
            >
              {within}
            </button>
          )}
        </fieldset>
      </div>
      <div className="instances-list" data-scroller>
        <Trouble error={error} />
        {!isPending && rows.length === 0 && <p className="muted none">{all === 0 ? 'None yet.' : 'No matches.'}</p>}
        <VirtualList
          label="Instances"
          rows={rows}
          idOf={idOf}
          rowHeight={44}
          rowProps={() => ({ className: 'instance' })}
          paging={paging}
          total={total}
          chosen={id === '' ? undefined : id}
          open={(instance) =>
            void navigate({ to, params: { machine }, search: { ...kept, id: instance }, replace: id !== '' })
          }
          close={() => void navigate({ to, params: { machine }, search: kept })}
          keys={{ '/': () => search.current?.focus() }}
        >
          {(instance, { isChosen, tabIndex }) => (
            <RowLink
              to={to}
              params={{ machine }}
              search={{ ...kept, id: instance.id }}
              tabIndex={tabIndex}
              isChosen={isChosen}
              title={instance.id}
            >
              <span>{instance.name || instance.id}</span>
              <span className="muted">{instance.state}</span>
            </RowLink>
          )}
        </VirtualList>
      </div>
    </section>
  );
}
