import { MusterError } from './muster-error.ts';

/** Milliseconds between attempts to reconnect: they double from `first` up to `longest`. */
const pauseMs = { first: 300, longest: 5_000 } as const;

/** How long a watch may be silent, in milliseconds. muster sends a heartbeat every 15 s. */
export const maxSilentMs = 60_000;

/** Gets the error of each failed attempt of a watch, and undefined once it is back. */
export type OnLost = (why: MusterError | undefined) => void;

interface Follow<Answer> {
  /** Opens the watch at a cursor; empty: as the request says. */
  readonly open: (cursor: string, signal: AbortSignal) => AsyncIterable<Answer>;
  /** Ends the watch without an error. */
  readonly signal?: AbortSignal | undefined;
  readonly onLost?: OnLost | undefined;
  readonly silentMs?: number | undefined;
}

/**
 * Follows a watch across cuts of the connection and restarts of muster: it is opened again from its last cursor, so that
 * no change is missed.
 * @throws MusterError when the first attempt fails, or when muster refuses to go on
 */
export async function* follow<Answer extends { readonly cursor?: string | undefined }>({
  open,
  signal,
  onLost,
  silentMs = maxSilentMs,
}: Follow<Answer>): AsyncGenerator<Answer, void> {
  let cursor = '';
  let hasAnswered = false;
  let isLost = false;
  for (let fails = 0; !signal?.aborted; fails += 1) {
    const attempt = new AbortController();
    const stop = (): void => attempt.abort();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      for await (const answer of untilSilent(open(cursor, attempt.signal), silentMs)) {
        if (isLost) onLost?.(undefined);
        isLost = false;
        hasAnswered = true;
        fails = 0;
        cursor = answer.cursor || cursor;
        yield answer;
      }
    } catch (error) {
      if (signal?.aborted) return;
      const why = MusterError.from(error);
      if (!hasAnswered || !why.mayRetry) throw why;
      isLost = true;
      onLost?.(why);
    } finally {
      signal?.removeEventListener('abort', stop);
      attempt.abort();
    }
    await pause(Math.min(pauseMs.first * 2 ** fails, pauseMs.longest), signal);
  }
}

/** Passes answers on, and fails once there was none for so long. */
async function* untilSilent<Answer>(answers: AsyncIterable<Answer>, silentMs: number): AsyncGenerator<Answer, void> {
  const iterator = answers[Symbol.asyncIterator]();
  for (;;) {
    const next = iterator.next();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(fellSilent(silentMs)), silentMs);
    });
    try {
      const { done, value } = await Promise.race([next, silence]);
      if (done) return;
      yield value;
    } catch (error) {
      // Aborting the attempt rejects it, and nothing waits for it any more.
      next.catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

function fellSilent(silentMs: number): MusterError {
  return new MusterError(`muster has sent nothing for ${silentMs / 1_000} s`, { code: 'unavailable', reason: '' });
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
}
