import { useLayoutEffect, useRef, useState } from 'react';
import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';

/** How long a screen must have been shown before it is answered, in milliseconds: a press before that was meant for the last one. */
const seenMs = 400;
/** Keys that only go through a selection: what they change on the screen is what the person wants to see. */
const steps: ReadonlySet<string> = new Set(['Up', 'Down', 'Left', 'Right']);

/** Answers the selection on a screen that a person sees, by one key at a time. */
export interface Answering {
  readonly isBusy: boolean;
  /** Why the last key was not pressed; undefined where it was. */
  readonly refusal: string | undefined;
  press(key: string): void;
}

/**
 * Answers the selection on the screen of this digest. The next key waits until the one before it is answered and `look` has shown
 * what came of it, and a screen that came by itself is not answered in the moment in which it comes: so no key meets a screen
 * that nobody saw.
 */
export function useAnswer(agentId: string, screenDigest: string, look?: () => Promise<unknown>): Answering {
  const { mutate, isPending, error } = useOneAct({
    mutationFn: (key: string) => agents.answerAgent({ agentId, screenDigest, keys: [key] }),
    onSettled: () => look?.(),
  });
  const shown = useRef({ digest: screenDigest, at: 0, lastKey: '' });
  const [isTooSoon, setTooSoon] = useState(false);
  useLayoutEffect(() => {
    const { digest, lastKey } = shown.current;
    if (digest === screenDigest) return;
    const isExpected = digest === '' || steps.has(lastKey);
    shown.current = { digest: screenDigest, at: isExpected ? 0 : Date.now(), lastKey: '' };
  }, [screenDigest]);
  const press = (key: string): void => {
    if (screenDigest === '' || isPending) return;
    const isNew = Date.now() - shown.current.at < seenMs;
    setTooSoon(isNew);
    if (isNew) return;
    shown.current.lastKey = key;
    mutate(key);
  };
  const refusal = error === null ? undefined : refusalText(error);
  return { isBusy: isPending, refusal: isTooSoon ? tooSoon : refusal, press };
}

const tooSoon = 'Its screen has changed in this moment, so nothing was pressed: this is what it shows now';

function refusalText(error: Error): string {
  const text = actFailureText(error);
  if (!text.includes('is not the one that was answered')) return text;
  return 'Its screen was another one by then, so nothing was pressed: this is what it shows now';
}
