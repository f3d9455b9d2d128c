import { isSignedOut } from './failure-text.ts';
import { pause } from './pause.ts';

/** How long is waited before a stream is opened again, in milliseconds: at first, and at most. */
const retryMs = { first: 300, max: 8_000 } as const;

interface Follow<Answer> {
  /** Opens the stream from a cursor on. */
  readonly open: (cursor: string, signal: AbortSignal) => AsyncIterable<Answer & { readonly cursor: string }>;
  /** Hears each answer; `isFirst` when the stream starts over. */
  readonly hear: (answer: Answer, isFirst: boolean) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows a stream until the signal ends it: from its cursor on where it breaks, and not while the tab is hidden, so
 * that tabs in the background keep no connections.
 */
export async function follow<Answer>({ open, hear, signal }: Follow<Answer>): Promise<void> {
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
        hear(answer, cursor === '');
        cursor = answer.cursor || cursor;
        tries = 0;
      }
    } catch (error) {
      if (isSignedOut(error)) return;
      // A cursor that is not taken any more would be refused for ever.
      if (tries > 2) cursor = '';
    } finally {
      signal.removeEventListener('abort', stop);
      document.removeEventListener('visibilitychange', hide);
    }
    if (!signal.aborted) await pause(Math.min(retryMs.first * 2 ** tries, retryMs.max), signal);
  }
}

/** Resolves while the tab can be seen. */
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
