import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import { type Agent, AnswerKind } from '#page/client/agent/v1/agent_pb.js';
import { AlwaysAllow } from './always-allow.tsx';
import { AnswerControls, answerId, asksForLine, takesLine } from './answer-controls.tsx';
import { rowsOf } from './screen-text.ts';
import { keyOf, lineFor, tailOf } from './selection.ts';
import { useAnswer } from './use-answer.ts';
import { usePane } from './use-pane.ts';

/**
 * The question of a waiting agent, as its screen shows it. An answer is bound to that screen: if the screen has
 * changed, no key is pressed, and the new screen is shown.
 */
export function AnswerBox({ agent }: { readonly agent: Agent }) {
  const { id: agentId, name, alive, stateChangedAt, waitingFor } = agent;
  const { frame, problem } = usePane(agentId, alive);
  const live = problem === undefined ? frame : undefined;
  // Used while there is no stream: before the first frame, and while the stream is broken.
  const read = useQuery({
    queryKey: ['pane', agentId, stateChangedAt, waitingFor],
    queryFn: ({ signal }) => agents.readPane({ agentId }, { signal }),
    enabled: live === undefined,
    staleTime: 0,
    gcTime: 0,
  });
  const shown = live ?? read.data;
  const screenDigest = shown?.screenDigest ?? '';
  const answering = useAnswer(agentId, screenDigest, () => live === undefined && read.refetch());
  const kind = shown?.reading?.answer ?? AnswerKind.KEY;
  const place = useFocusKept();
  const text = shown?.screen === undefined ? '' : tailOf(rowsOf(shown.screen).join('\n'));
  const wrong = shown !== undefined || read.error === null ? undefined : failureText(read.error);
  return (
    <section ref={place} className="answer" aria-labelledby="answer-title">
      <h3 id="answer-title">
        Needs your answer <kbd>a</kbd>
      </h3>
      {waitingFor !== '' && <p className="asks">{waitingFor}</p>}
      <section
        id={asksForLine(kind, text) ? undefined : answerId}
        className="screen"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys that are pressed here answer the selection
        tabIndex={0}
        data-own-keys
        aria-label={`The screen of ${name}; digits, letters, arrows and Enter answer it, Escape leaves`}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          if (event.key === 'Escape') return event.currentTarget.blur();
          // Typing starts in the field, including this character.
          if (asksForLine(kind, text) && event.key.length === 1) return document.getElementById(answerId)?.focus();
          const key = screenDigest === '' && event.key.length === 1 ? event.key : keyOf(event.key);
          if (key === undefined) return;
          event.preventDefault();
          answering.give(takesLine(kind) && key.length === 1 ? { line: lineFor(text, key) } : { key });
        }}
      >
        <pre>{shown === undefined && wrong === undefined ? 'The screen is being read …' : text}</pre>
      </section>
      <AnswerControls answering={answering} text={text} kind={kind} isReady={screenDigest !== ''} />
      {wrong !== undefined && (
        <p role="alert" className="failure">
          {wrong}
        </p>
      )}
      <AlwaysAllow agentId={agentId} />
    </section>
  );
}

/** Moves the focus to the panel when the focused element inside it is removed. */
function useFocusKept() {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const piece = place.current;
    return () => {
      if (piece?.contains(document.activeElement)) piece.closest<HTMLElement>('.panel')?.focus();
    };
  }, []);
  return place;
}
