import { useMutation } from '@tanstack/react-query';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import type { WatchPaneResponse } from '#page/client/agent/v1/agent_pb.js';
import { choicesOn, tailOf } from '#page/roster/selection.ts';
import { rowsOf } from './screen-text.ts';

const otherKeys = ['Up', 'Down', 'Enter', 'Escape'] as const;

/** Answers the selection that the shown screen asks; bound to that very screen, so that no other one is answered. */
export function AnswerKeys({ agentId, frame }: { readonly agentId: string; readonly frame: WatchPaneResponse }) {
  const { screenDigest, screen } = frame;
  const answer = useMutation({
    mutationFn: (key: string) => agents.answerAgent({ agentId, screenDigest, keys: [key] }),
  });
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
            disabled={answer.isPending}
            onClick={() => answer.mutate(key)}
          >
            <kbd>{key}</kbd> {label}
          </button>
        ))}
        <span className="other-keys">
          {otherKeys.map((key) => (
            <button
              key={key}
              type="button"
              className="button"
              disabled={answer.isPending}
              onClick={() => answer.mutate(key)}
            >
              {key}
            </button>
          ))}
        </span>
      </div>
      {answer.error !== null && (
        <p role="alert" className="failure">
          {failureText(answer.error)}
        </p>
      )}
    </section>
  );
}
