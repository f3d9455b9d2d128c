import { Link, useNavigate } from '@tanstack/react-router';
import { failureText } from '#page/api/failure-text.ts';
import type { Transition } from '#page/client/fact/v1/fact_pb.js';
import { CopyButtons } from './copy-buttons.tsx';
import { NextList } from './next-list.tsx';
import { useMoment } from './queries.ts';

interface LifePanelProps {
  readonly machine: string;
  readonly id: string;
  /** The move after which it is looked at; undefined for now. */
  readonly seq: number | undefined;
  /** Oldest first. */
  readonly moves: readonly Transition[];
  /** Tells the state that an event which is looked at would lead to. */
  readonly onAhead: (state: string) => void;
}

/** One life: where it is, how it came there, what could happen next, and a way back to any of its moments. */
export function LifePanel({ machine, id, seq, moves, onAhead }: LifePanelProps) {
  const navigate = useNavigate();
  const last = moves.at(-1)?.seq;
  const moment = useMoment(machine, id, seq === undefined ? undefined : BigInt(seq), last ?? 0n);
  const found = seq === undefined ? moves.length - 1 : moves.findIndex((move) => Number(move.seq) === seq);
  const at = found < 0 ? moves.length - 1 : found;
  const go = (place: number): void => {
    const isLast = place >= moves.length - 1;
    const wanted = isLast ? undefined : moves[place]?.seq;
    const search = wanted === undefined ? { id } : { id, seq: Number(wanted) };
    void navigate({ to: '/machines/$machine', params: { machine }, search, replace: true });
  };
  const { name = id, state = '', context = '{}' } = moment.data ?? {};
  return (
    <aside className="life-panel" aria-label={`${machine} ${name}`}>
      <header>
        <h2>{name}</h2>
        <p className="life-state" aria-live="polite">
          <code>{state}</code> <span className="tense">{seq === undefined ? 'now' : 'then'}</span>
        </p>
        {machine === 'agent' && (
          <Link to="/agents/$agentId" params={{ agentId: id }}>
            Show the agent
          </Link>
        )}
      </header>
      {moment.error !== null && (
        <p role="alert" className="failure">
          {failureText(moment.error)}
        </p>
      )}
      <div className="scrubber">
        <label htmlFor="moment">
          Moment {moves.length === 0 ? 0 : at + 1} of {moves.length}
        </label>
        <input
          id="moment"
          type="range"
          min={0}
          max={Math.max(0, moves.length - 1)}
          value={Math.max(0, at)}
          aria-valuetext={moves[at] === undefined ? 'no move' : `${moves[at].event || 'begun'}: ${moves[at].to}`}
          onChange={(event) => go(Number(event.target.value))}
        />
        <button type="button" className="button" disabled={seq === undefined} onClick={() => go(moves.length - 1)}>
          Now
        </button>
      </div>
      <NextList next={moment.data?.next ?? []} onAhead={onAhead} />
      <section aria-label="Moves">
        <h3>Moves</h3>
        <ol className="moves" reversed>
          {moves.toReversed().map((move) => (
            <Move
              key={String(move.seq)}
              move={move}
              chosen={moves[at] === move}
              onChoose={() => go(moves.indexOf(move))}
            />
          ))}
        </ol>
      </section>
      <details>
        <summary>What it remembers</summary>
        <pre>{JSON.stringify(JSON.parse(context), null, 2)}</pre>
      </details>
      <CopyButtons machine={machine} id={id} seq={seq ?? (last === undefined ? undefined : Number(last))} />
    </aside>
  );
}

interface MoveProps {
  readonly move: Transition;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function Move({ move, chosen, onChoose }: MoveProps) {
  const { at, event, from, to, effects, facts, eventDetail } = move;
  return (
    <li data-chosen={chosen}>
      <button type="button" className="move" aria-current={chosen ? 'step' : undefined} onClick={onChoose}>
        <time dateTime={at}>{new Date(at).toLocaleTimeString([], { hour12: false })}</time>
        <b>{event || 'begun'}</b>
        <code>{from === to ? to : `${from || '·'} → ${to}`}</code>
      </button>
      <p className="came">
        {effects.map((kind) => (
          <span key={kind} className="effect" title="An effect that was asked for">
            {kind}
          </span>
        ))}
        {facts.map((kind) => (
          <span key={kind} className="fact" title="A fact that was told">
            {kind}
          </span>
        ))}
      </p>
      {chosen && eventDetail !== '{}' && <pre>{eventDetail}</pre>}
    </li>
  );
}
