import type { WatchPaneResponse } from '#page/client/agent/v1/agent_pb.js';
import { rowsOf } from './screen-text.ts';
import { choicesOn, tailOf } from './selection.ts';
import { useAnswer } from './use-answer.ts';

const otherKeys = ['Up', 'Down', 'Enter', 'Escape'] as const;

/** Answers the selection that the shown screen asks; bound to that very screen, so that no other one is answered. */
export function AnswerKeys({ agentId, frame }: { readonly agentId: string; readonly frame: WatchPaneResponse }) {
  const { screenDigest, screen } = frame;
  const { press, isBusy, refusal } = useAnswer(agentId, screenDigest);
  const text = screen === undefined ? '' : tailOf(rowsOf(screen).join('\n'));
  return (
    <section className="answer" aria-label="Answer">
      <h2>It waits for you</h2>
      <div className="choices">
        {choicesOn(text).map(({ key, label, isCurrent }) => (
          <button
            key={key}
            type="button"
            className="button choice"
            data-current={isCurrent}
            disabled={isBusy}
            onClick={() => press(key)}
          >
            <kbd>{key}</kbd> {label}
          </button>
        ))}
        <span className="other-keys">
          {otherKeys.map((key) => (
            <button key={key} type="button" className="button" disabled={isBusy} onClick={() => press(key)}>
              {key}
            </button>
          ))}
        </span>
      </div>
      {refusal !== undefined && (
        <p role="alert" className="failure">
          {refusal}
        </p>
      )}
    </section>
  );
}
