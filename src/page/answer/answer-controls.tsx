import { piecesText } from '#contract/pane/answer-queue.ts';
import { AnswerKind } from '#page/client/agent/v1/agent_pb.js';
import { useKeys } from '#page/parts/keys.ts';
import { LineField } from './line-field.tsx';
import { type Choice, choicesOfLine, choicesOn } from './selection.ts';
import type { AnswerActions } from './use-answer.ts';

/** Keys that are offered in addition to the choices on the screen. */
const otherKeys = ['Up', 'Down', 'Enter', 'Escape'] as const;

interface ControlsProps {
  readonly answering: AnswerActions;
  /** The end of the screen, as text. */
  readonly text: string;
  readonly kind: AnswerKind;
  /** Whether its screen is known, which an answer requires. */
  readonly isReady: boolean;
}

/** The ways to answer a question: its choices, keys or a line. Also shows answers that are not typed yet. */
export function AnswerControls({ answering: { give, waiting, refusal }, text, kind, isReady }: ControlsProps) {
  const isLine = takesLine(kind);
  const choices = choicesFor(kind, text);
  const choose = ({ key, line = key }: Choice): boolean => give(isLine ? { line } : { key });
  useKeys(Object.fromEntries(choices.filter(hasOwnKey).map((one) => [one.key, () => void choose(one)])));
  return (
    <>
      <div className="choices">
        {choices.map((choice) => (
          <button
            key={choice.key}
            type="button"
            className="button choice"
            data-current={choice.isCurrent}
            disabled={!isReady}
            onClick={() => choose(choice)}
            {...(hasOwnKey(choice) && { 'aria-keyshortcuts': choice.key })}
          >
            {hasOwnKey(choice) && <kbd>{choice.key}</kbd>} {choice.label}
          </button>
        ))}
        <span className="other-keys">
          {otherKeys.map((key) => (
            <button key={key} type="button" className="button" disabled={!isReady} onClick={() => give({ key })}>
              {key}
            </button>
          ))}
        </span>
      </div>
      <LineField
        id={asksForLine(kind, text) ? answerId : 'answer-line'}
        kind={kind}
        isReady={isReady}
        onLine={(line) => give({ line })}
      />
      <p className="muted" role="status" hidden={waiting.length === 0}>
        Typing {piecesText(waiting)} …
      </p>
      {refusal !== undefined && (
        <p role="alert" className="failure">
          {refusal}
        </p>
      )}
    </>
  );
}

function choicesFor(kind: AnswerKind, text: string): readonly Choice[] {
  return takesLine(kind) ? choicesOfLine(text) : choicesOn(text);
}

/** Whether a choice has its own key anywhere on the screen. Letters are keys of the screen itself. */
function hasOwnKey({ key }: Choice): boolean {
  return /^[0-9]$/.test(key);
}

/** The id of the element to which the key for answering moves the focus. */
export const answerId = 'answer';

/** Whether there are no choices, so that a line must be written. */
export function asksForLine(kind: AnswerKind, text: string): boolean {
  return takesLine(kind) && choicesOfLine(text).length === 0;
}

/** Whether the answer is a line and Enter. */
export function takesLine(kind: AnswerKind): boolean {
  return kind === AnswerKind.LINE || kind === AnswerKind.SECRET;
}
