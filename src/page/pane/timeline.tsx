import { useMemo } from 'react';
import { elapsedText } from '#contract/elapsed.ts';
import type { AgentMove } from '#page/client/agent/v1/agent_pb.js';
import { statusOfState } from '#page/fleet/agent-status.ts';

interface TimelineProps {
  /** Oldest first. */
  readonly moves: readonly AgentMove[];
  /** The ordinal of the selected transition; undefined for now. */
  readonly chosen: number | undefined;
  readonly onChoose: (ordinal: number | undefined) => void;
}

/** The last transitions of an agent, equally wide, to step through. The right end is now. */
export function Timeline({ moves, chosen, onChoose }: TimelineProps) {
  const at = chosen === undefined ? moves.length : moves.findIndex(({ ordinal }) => ordinal === chosen);
  const place = at < 0 ? moves.length : at;
  const move = moves[place];
  const said = useMemo(() => (move === undefined ? 'Now' : transitionText(move)), [move]);
  if (moves.length === 0) return <p className="muted timeline-none">No transitions yet.</p>;
  return (
    <section className="timeline" aria-label="Transitions">
      <div className="timeline-strip" style={{ maxWidth: 48 * (moves.length + 1) }}>
        <div className="timeline-cells" aria-hidden="true">
          {moves.map(({ ordinal, to }, index) => (
            <span
              key={ordinal}
              className="timeline-cell"
              data-kind={statusOfState(to).kind}
              data-chosen={index === place}
            />
          ))}
          <span className="timeline-cell now" data-chosen={place === moves.length} />
        </div>
        <input
          type="range"
          aria-label="Transition to show"
          aria-valuetext={said}
          min={0}
          max={moves.length}
          value={place}
          onChange={({ target }) => onChoose(moves[Number(target.value)]?.ordinal)}
        />
      </div>
      <p className="timeline-said">
        <output>{said}</output>
        {chosen === undefined ? (
          <span className="muted hint">
            <kbd>←</kbd> <kbd>→</kbd> through {moves.length === 1 ? 'one transition' : `${moves.length} transitions`}
          </span>
        ) : (
          <button type="button" className="button" aria-keyshortcuts="l" onClick={() => onChoose(undefined)}>
            Back to now <kbd>l</kbd>
          </button>
        )}
      </p>
    </section>
  );
}

function transitionText({ ordinal, from, to, at, reason }: AgentMove): string {
  const time = new Date(at);
  const since = elapsedText(Date.now() - time.getTime());
  const change = `${statusOfState(from).word} → ${statusOfState(to).word}`;
  return `${ordinal}. ${change}${reason === '' ? '' : `, ${reason}`} · ${time.toLocaleTimeString()}, ${since} ago`;
}
