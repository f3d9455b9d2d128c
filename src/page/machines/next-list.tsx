import type { Prospect } from '#page/client/fact/v1/fact_pb.js';

interface NextListProps {
  readonly next: readonly Prospect[];
  readonly onAhead: (state: string) => void;
}

/**
 * The events that could happen to an instance, and the result of each. The chart shows the target state of the hovered
 * one.
 */
export function NextList({ next, onAhead }: NextListProps) {
  const possible = next.filter(({ accepted }) => accepted);
  const refused = next.filter(({ accepted }) => !accepted);
  return (
    <section aria-label="What could happen next">
      <h3>What could happen next</h3>
      {next.length === 0 && <p className="muted">Nothing: it has ended.</p>}
      <ul className="next">
        {possible.map(({ event, sample, to, effects, facts, refusedBy, changes }) => (
          <li key={sample}>
            <button
              type="button"
              className="move"
              title={sample}
              onFocus={() => onAhead(to)}
              onBlur={() => onAhead('')}
              onMouseEnter={() => onAhead(to)}
              onMouseLeave={() => onAhead('')}
            >
              <b>{event}</b>
              <code>→ {to}</code>
            </button>
            <p className="came">
              {effects.map((kind) => (
                <span key={kind} className="effect" title="An effect that it would request">
                  {kind}
                </span>
              ))}
              {facts.map((kind) => (
                <span key={kind} className="fact" title="A fact that it would publish">
                  {kind}
                </span>
              ))}
              {changes.map(({ path, before, after }) => (
                <span key={path} className="change" title={`${before || 'nothing'} → ${after || 'nothing'}`}>
                  {path}
                </span>
              ))}
              {refusedBy.length > 0 && <span className="muted">not {refusedBy.join(', ')}</span>}
            </p>
          </li>
        ))}
      </ul>
      {refused.length > 0 && (
        <details>
          <summary>Refused now ({refused.length})</summary>
          <ul className="next">
            {refused.map(({ event, sample, refusedBy }) => (
              <li key={sample}>
                <b>{event}</b> <span className="muted">by {refusedBy.join(', ') || 'its state'}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
