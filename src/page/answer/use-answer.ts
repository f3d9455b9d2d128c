import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type AnswerPiece, AnswerQueue, answerRequest, piecesText } from '#contract/pane/answer-queue.ts';
import { agents } from '#page/api/clients.ts';
import { actFailureText, isRefusedFor } from '#page/api/failure-text.ts';

/**
 * How long a screen must have been shown before it is answered, in milliseconds: a press before that was meant for the
 * last one.
 */
const seenMs = 400;
/** Keys that only go through a selection: what they change on the screen is what the person wants to see. */
const steps: ReadonlySet<string> = new Set(['Up', 'Down', 'Left', 'Right']);

/** Answers what a screen asks, which a person sees. */
export interface Answering {
  /** What was given and is not typed yet, in order. */
  readonly waiting: readonly AnswerPiece[];
  /** Why what was given last was not typed; undefined if it was. */
  readonly refusal: string | undefined;
  /** Whether it was taken; if not, `refusal` says why. */
  give(piece: AnswerPiece): boolean;
}

/**
 * Answers the question on the screen of this digest. What is given while an earlier key is being typed waits, and is
 * typed only while the question stands for which it was given. A screen that came on its own is not answered in the
 * moment in which it comes. So no key meets a question that nobody saw, and none is lost silently. `look` is called
 * once nothing waits any more.
 */
export function useAnswer(agentId: string, screenDigest: string, look?: () => unknown): Answering {
  const [waiting, setWaiting] = useState<readonly AnswerPiece[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const looking = useRef(look);
  useEffect(() => {
    looking.current = look;
  });
  const queue = useMemo(
    () =>
      new AnswerQueue({
        send: (piece, digest) => agents.answerAgent({ agentId, screenDigest: digest, ...answerRequest(piece) }),
        onChange(pieces) {
          setWaiting(pieces);
          // Between two keys a look would only hold up the second one.
          if (pieces.length === 0) looking.current?.();
        },
        onDropped: (pieces, error) => setRefusal(refusalText(pieces, error)),
      }),
    [agentId],
  );
  const shown = useRef({ digest: screenDigest, at: 0, lastKey: '' });
  // Who types before the screen is known types on: what follows was meant for the same unknown screen.
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
