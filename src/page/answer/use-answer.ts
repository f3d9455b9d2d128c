import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type AnswerPiece, AnswerQueue, answerRequest, piecesText } from '#contract/pane/answer-queue.ts';
import { agents } from '#page/api/clients.ts';
import { actFailureText, isRefusedFor } from '#page/api/failure-text.ts';

/**
 * How long a screen must have been shown before it can be answered, in milliseconds. An earlier press was meant for the
 * previous screen.
 */
const seenMs = 400;
/** Keys that only move through a selection, so that the person wants to see the resulting screen. */
const steps: ReadonlySet<string> = new Set(['Up', 'Down', 'Left', 'Right']);

/** Answers the question on a screen that the person sees. */
export interface AnswerActions {
  /** Answers that were given and are not typed yet, in order. */
  readonly waiting: readonly AnswerPiece[];
  /** Why the last answer was not typed; undefined if it was. */
  readonly refusal: string | undefined;
  /** Gives an answer. Returns whether it was accepted; if not, `refusal` says why. */
  give(piece: AnswerPiece): boolean;
}

/**
 * Answers the question on the screen with this digest. An answer that is given while an earlier key is being typed
 * waits, and is typed only if the same question is still shown. A screen that has just appeared cannot be answered yet.
 * So no key answers a question that the person did not see, and none is lost silently. `refresh` is called once no
 * more answers wait.
 */
export function useAnswer(agentId: string, screenDigest: string, refresh?: () => unknown): AnswerActions {
  const [waiting, setWaiting] = useState<readonly AnswerPiece[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const refreshing = useRef(refresh);
  useEffect(() => {
    refreshing.current = refresh;
  });
  const queue = useMemo(
    () =>
      new AnswerQueue({
        send: (piece, digest) => agents.answerAgent({ agentId, screenDigest: digest, ...answerRequest(piece) }),
        onChange(pieces) {
          setWaiting(pieces);
          // Between two keys, a refresh would only delay the second one.
          if (pieces.length === 0) refreshing.current?.();
        },
        onDropped: (pieces, error) => setRefusal(refusalText(pieces, error)),
      }),
    [agentId],
  );
  const shown = useRef({ digest: screenDigest, at: 0, lastKey: '' });
  // If a key was given before the screen was known, the following keys are meant for the same unknown screen.
  const isEarly = useRef(false);
  useLayoutEffect(() => {
    const { digest, lastKey } = shown.current;
    if (digest === screenDigest) return;
    const isExpected = digest === '' ? !isEarly.current : steps.has(lastKey);
    shown.current = { digest: screenDigest, at: isExpected ? 0 : Date.now(), lastKey: '' };
  }, [screenDigest]);
  const give = (piece: AnswerPiece): boolean => {
    isEarly.current = screenDigest === '';
    const isTooSoon = Date.now() - shown.current.at < seenMs;
    setRefusal(screenDigest === '' ? notYet : isTooSoon ? tooSoon : undefined);
    if (screenDigest === '' || isTooSoon) return false;
    shown.current.lastKey = 'key' in piece ? piece.key : '';
    queue.add(piece, screenDigest);
    return true;
  };
  return { waiting, refusal, give };
}

const notYet = 'Its screen has not loaded yet, so no key was pressed';
const tooSoon = 'Its screen has just changed, so no key was pressed. This is what it shows now';

function refusalText(pieces: readonly AnswerPiece[], error: unknown): string {
  if (error === undefined) return `Not pressed, because its question has changed: ${piecesText(pieces)}`;
  const rest = pieces.length > 1 ? ` (not pressed: ${piecesText(pieces.slice(1))})` : '';
  if (!isRefusedFor(error, 'SCREEN_CHANGED')) return `${actFailureText(error)}${rest}`;
  return `Its screen had changed by then, so no key was pressed. This is what it shows now${rest}`;
}
