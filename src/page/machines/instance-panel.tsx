import { Link, useNavigate } from '@tanstack/react-router';
import type { ExplainMachineResponse, Transition } from '#page/client/fact/v1/fact_pb.js';
import { useKeys } from '#page/parts/keys.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import { ChangeList } from './change-list.tsx';
import { CopyButtons } from './copy-buttons.tsx';
import { NextList } from './next-list.tsx';

interface InstancePanelProps {
  readonly machine: string;
  readonly id: string;
  /** The transition after which the instance is shown; undefined for now. */
  readonly seq: number | undefined;
  /** Oldest first. */
  readonly transitions: readonly Transition[];
  /** The instance's state and context at that moment; undefined while unknown. */
  readonly moment: ExplainMachineResponse | undefined;
  readonly error: unknown;
  /** Called with the state to which the hovered event would lead. */
  readonly onAhead: (state: string) => void;
}

/** An instance: its state, its history with links to earlier moments, and what could happen next. */
export function InstancePanel({ machine, id, seq, transitions, moment, error, onAhead }: InstancePanelProps) {
  const navigate = useNavigate();
  const last = transitions.at(-1)?.seq;
  const found =
    seq === undefined ? transitions.length - 1 : transitions.findIndex((transition) => Number(transition.seq) === seq);
  // A moment that is not among the kept transitions is older than they are: its known part is shown, and the
  // slider is at its start.
  const at = Math.max(0, found);
  const go = (place: number): void => {
    const isLast = place >= transitions.length - 1;
    const wanted = isLast ? undefined : transitions[place]?.seq;
    const search = ({ state }: { readonly state?: string | undefined }) => ({
      ...(state === undefined ? {} : { state }),
      id,
      ...(wanted === undefined ? {} : { seq: Number(wanted) }),
    });
    void navigate({ to: '/machines/$machine', params: { machine }, search, replace: true });
  };
  const back = (): void => go(Math.max(0, at - 1));
  const on = (): void => go(at + 1);
  const now = (): void => go(transitions.length - 1);
  useKeys({ ArrowLeft: back, ArrowRight: on, l: now });
  const { name = '…', state = '', context = '{}' } = moment ?? {};
  return (
    <aside className="instance-panel" aria-label={`${machine} ${name}`} tabIndex={-1}>
      <header>
        <Link to="/machines/$machine" params={{ machine }} search={{}} className="back">
          All instances
        </Link>
        <h2>{name}</h2>
        <p className="instance-state" aria-live="polite">
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
          Moment {transitions.length === 0 ? 0 : at + 1} of {transitions.length}
        </label>
        <input
          id="moment"
          type="range"
          min={0}
          max={Math.max(0, transitions.length - 1)}
          value={Math.max(0, at)}
          aria-valuetext={
            transitions[at] === undefined
              ? 'no transition'
              : `${transitions[at].event || 'begun'}: ${transitions[at].to}`
          }
          onChange={(event) => go(Number(event.target.value))}
        />
        <button type="button" className="button" disabled={seq === undefined} onClick={now}>
          Now
        </button>
      </div>
      <ChangeList changes={moment?.changes ?? []} />
      <section aria-label="Transitions">
        <h3>Transitions</h3>
        <ol className="moves" reversed>
          {transitions.toReversed().map((transition) => (
            <Item
              key={String(transition.seq)}
              transition={transition}
              chosen={transitions[at] === transition}
              onChoose={() => go(transitions.indexOf(transition))}
            />
          ))}
        </ol>
      </section>
      <NextList next={moment?.next ?? []} onAhead={onAhead} />
      <details>
        <summary>Context</summary>
        <pre>{JSON.stringify(JSON.parse(context || '{}'), null, 2)}</pre>
      </details>
      <CopyButtons machine={machine} id={id} seq={seq ?? (last === undefined ? undefined : Number(last))} />
    </aside>
  );
}

interface ItemProps {
  readonly transition: Transition;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function Item({ transition, chosen, onChoose }: ItemProps) {
  const { at, event, from, to, effects, facts, eventDetail } = transition;
  return (
    <li data-chosen={chosen}>
      <button type="button" className="move" aria-current={chosen ? 'step' : undefined} onClick={onChoose}>
        <time dateTime={at}>{new Date(at).toLocaleTimeString([], { hour12: false })}</time>
        <b>{event || 'begun'}</b>
        <code>{from === to ? to : `${from || '·'} → ${to}`}</code>
      </button>
      <p className="came">
        {effects.map((kind) => (
          <span key={kind} className="effect" title="A requested effect">
            {kind}
          </span>
        ))}
        {facts.map((kind) => (
          <span key={kind} className="fact" title="A published fact">
            {kind}
          </span>
        ))}
      </p>
      {chosen && eventDetail !== '{}' && <pre>{eventDetail}</pre>}
    </li>
  );
}
