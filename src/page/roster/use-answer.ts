import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';

/** Answers the selection on a screen that a person sees, by one key at a time. */
export interface Answering {
  readonly isBusy: boolean;
  /** Why the last key was not pressed; undefined where it was. */
  readonly refusal: string | undefined;
  press(key: string): void;
}

/**
 * Answers the selection on the screen of this digest. The next key waits until the one before it is answered and `look` has shown
 * what came of it, so that it never meets a screen that nobody saw.
 */
export function useAnswer(agentId: string, screenDigest: string, look?: () => Promise<unknown>): Answering {
  const { mutate, isPending, error } = useOneAct({
    mutationFn: (key: string) => agents.answerAgent({ agentId, screenDigest, keys: [key] }),
    onSettled: () => look?.(),
  });
  return {
    isBusy: isPending,
    refusal: error === null ? undefined : refusalText(error),
    press: (key) => {
      if (screenDigest !== '') mutate(key);
    },
  };
}

function refusalText(error: Error): string {
  const text = actFailureText(error);
  if (!text.includes('is not the one that was answered')) return text;
  return 'Its screen was another one by then, so nothing was pressed: this is what it shows now';
}
