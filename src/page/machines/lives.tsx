import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { MachineSubject, StateCount } from '#page/client/fact/v1/fact_pb.js';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { useSettled } from '#page/parts/settled.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import './lives.css';
import { useLives } from './queries.ts';

interface LivesProps {
  readonly machine: string;
  /** The life that is looked at; empty for none. */
  readonly id: string;
  /** The state, or group of states, that alone is wanted; empty for all. */
  readonly within: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly counts: readonly StateCount[];
}

const idOf = ({ id }: MachineSubject): string => id;

/** Every life of a machine, the newest first: found by words, and by the state that they are in. */
export function Lives({ machine, id, within, words, onWords, counts }: LivesProps) {
  const navigate = useNavigate();
  const search = useRef<HTMLInputElement>(null);
  const { rows, error, isPending, paging, total } = useLives(machine, useSettled(words), within);
  const to = '/machines/$machine';
  const kept = within === '' ? {} : { state: within };
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-label="Lives" className="lives">
      <div className="lives-head">
        <Link to={to} params={{ machine }} search={kept} className="life all" data-active={id === ''}>
          <span>All of them</span>
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
      <div className="lives-list" data-scroller>
        <Trouble error={error} />
        {!isPending && rows.length === 0 && (
          <p className="muted none">{all === 0 ? 'There is none yet.' : 'None is like that.'}</p>
        )}
        <VirtualList
          label="Lives"
          rows={rows}
          idOf={idOf}
          rowHeight={44}
          look={() => ({ className: 'life' })}
          paging={paging}
          total={total}
          chosen={id === '' ? undefined : id}
          open={(life) => void navigate({ to, params: { machine }, search: { ...kept, id: life }, replace: id !== '' })}
          close={() => void navigate({ to, params: { machine }, search: kept })}
          keys={{ '/': () => search.current?.focus() }}
        >
          {(life, { isChosen, tabIndex }) => (
            <Link
              to={to}
              params={{ machine }}
              search={{ ...kept, id: life.id }}
              className="row-link"
              preload={false}
              tabIndex={tabIndex}
              aria-current={isChosen ? 'true' : undefined}
              title={life.id}
            >
              <span>{life.name || life.id}</span>
              <span className="muted">{life.state}</span>
            </Link>
          )}
        </VirtualList>
      </div>
    </section>
  );
}
