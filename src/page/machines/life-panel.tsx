import { Link, useNavigate } from '@tanstack/react-router';
import type { ExplainMachineResponse, Transition } from '#page/client/fact/v1/fact_pb.js';
import { useKeys } from '#page/parts/keys.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import { ChangeList } from './change-list.tsx';
import { CopyButtons } from './copy-buttons.tsx';
import { NextList } from './next-list.tsx';

interface LifePanelProps {
  readonly machine: string;
  readonly id: string;
  /** The move after which it is looked at; undefined for now. */
  readonly seq: number | undefined;
  /** Oldest first. */
  readonly moves: readonly Transition[];
  /** What it was at then, where that is known; why not where it is not. */
  readonly moment: ExplainMachineResponse | undefined;
  readonly error: unknown;
  /** Tells the state that an event which is looked at would lead to. */
  readonly onAhead: (state: string) => void;
}

/** One life: where it is, how it came there, what could happen next, and a way back to any of its moments. */
export function LifePanel({ machine, id, seq, moves, moment, error, onAhead }: LifePanelProps) {
  const navigate = useNavigate();
  const last = moves.at(-1)?.seq;
  const found = seq === undefined ? moves.length - 1 : moves.findIndex((move) => Number(move.seq) === seq);
  // A moment that is not among the moves was long ago: what is there of it is shown, and the slider stands before the first.
  const at = Math.max(0, found);
  const go = (place: number): void => {
    const isLast = place >= moves.length - 1;
    const wanted = isLast ? undefined : moves[place]?.seq;
    const search = ({ state }: { readonly state?: string }) => ({
      ...(state === undefined ? {} : { state }),
      id,
      ...(wanted === undefined ? {} : { seq: Number(wanted) }),
    });
    void navigate({ to: '/machines/$machine', params: { machine }, search, replace: true });
  };
  const back = (): void => go(Math.max(0, at - 1));
  const on = (): void => go(at + 1);
  const now = (): void => go(moves.length - 1);
  useKeys({ ArrowLeft: back, ArrowRight: on, l: now });
  const { name = '…', state = '', context = '{}' } = moment ?? {};
  return (
    <aside className="life-panel" aria-label={`${machine} ${name}`} tabIndex={-1}>
      <header>
        <Link to="/machines/$machine" params={{ machine }} search={{}} className="back">
          All of them
        </Link>
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
      <Trouble error={error} />
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
        <button type="button" className="button" disabled={seq === undefined} onClick={now}>
          Now
        </button>
      </div>
      <ChangeList changes={moment?.changes ?? []} />
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
      <NextList next={moment?.next ?? []} onAhead={onAhead} />
      <details>
        <summary>What it remembers</summary>
        <pre>{JSON.stringify(JSON.parse(context || '{}'), null, 2)}</pre>
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
