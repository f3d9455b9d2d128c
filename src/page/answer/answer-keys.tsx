import { AnswerKind, type WatchPaneResponse } from '#page/client/agent/v1/agent_pb.js';
import { AnswerControls } from './answer-controls.tsx';
import { rowsOf } from './screen-text.ts';
import { tailOf } from './selection.ts';
import { useAnswer } from './use-answer.ts';

/**
 * Answers the question on the shown screen. The answer is bound to that screen, so that no other question is answered.
 */
export function AnswerKeys({ agentId, frame }: { readonly agentId: string; readonly frame: WatchPaneResponse }) {
  const { screenDigest, screen, reading } = frame;
  const answering = useAnswer(agentId, screenDigest);
  const text = screen === undefined ? '' : tailOf(rowsOf(screen).join('\n'));
  return (
    <section className="answer" aria-label="Answer">
      <h2>Needs your answer</h2>
      <AnswerControls answering={answering} text={text} kind={reading?.answer ?? AnswerKind.KEY} isReady />
    </section>
  );
}
