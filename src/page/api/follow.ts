import { isSignedOut } from './failure-text.ts';
import { pause } from './pause.ts';

/** The pause before a stream is opened again, in milliseconds: the first and the longest. */
const retryMs = { first: 300, max: 8_000 } as const;

interface Follow<Answer> {
  /** Opens the stream at a cursor. */
  readonly open: (cursor: string, signal: AbortSignal) => AsyncIterable<Answer & { readonly cursor: string }>;
  /** Called with each answer. `isFirst` is set when the stream starts over. */
  readonly onAnswer: (answer: Answer, isFirst: boolean) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows a stream until the signal aborts. It resumes from its cursor after a failure, and pauses while the tab is
 * hidden, so that tabs in the background keep no connections.
 */
export async function follow<Answer>({ open, onAnswer, signal }: Follow<Answer>): Promise<void> {
  let cursor = '';
  for (let tries = 0; !signal.aborted; tries += 1) {
    await visible(signal);
    const watching = new AbortController();
    const stop = (): void => watching.abort();
    const hide = (): void => {
      if (document.visibilityState === 'hidden') stop();
    };
    signal.addEventListener('abort', stop, { once: true });
    document.addEventListener('visibilitychange', hide);
    try {
      for await (const answer of open(cursor, watching.signal)) {
        onAnswer(answer, cursor === '');
        cursor = answer.cursor || cursor;
        tries = 0;
      }
    } catch (error) {
      if (isSignedOut(error)) return;
      // A cursor that is no longer accepted would be refused forever.
      if (tries > 2) cursor = '';
    } finally {
      signal.removeEventListener('abort', stop);
      document.removeEventListener('visibilitychange', hide);
    }
    if (!signal.aborted) await pause(Math.min(retryMs.first * 2 ** tries, retryMs.max), signal);
  }
}

/** Resolves while the tab is visible. */
function visible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise((resolve) => {
    const listening = new AbortController();
    const go = (): void => {
      listening.abort();
      resolve();
    };
    document.addEventListener('visibilitychange', go, { signal: listening.signal });
    signal.addEventListener('abort', go, { signal: listening.signal });
  });
}
