import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import { cancelledBy, cancelSignal } from '#world/concurrency/cancellation.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { unsupportedFile } from './unsupported-file.ts';

/** How often a checkout is searched again while git works in it, in milliseconds. */
const againMs = 3_000;

/**
 * Runs work in which git reads the files of a checkout. In every folder, git opens by name the files that list what is
 * ignored and how files are compared, and it hangs on a named pipe. So the checkout is searched for such pipes again
 * and again meanwhile.
 * @throws FAILED_PRECONDITION when one is not a regular file, and at once if git would wait on it; DEADLINE_EXCEEDED
 *   when the work takes longer than `limitMs`
 */
export async function overPlainFiles<T>(
  shadow: Shadow,
  at: CheckoutFolder,
  work: () => Promise<T>,
  limitMs: number,
): Promise<T> {
  const refusal = new AbortController();
  const done = new AbortController();
  const outer = cancelSignal();
  const stop = AbortSignal.any([refusal.signal, ...(outer === undefined ? [] : [outer])]);
  const first = Promise.withResolvers<void>();
  const watch = async (): Promise<void> => {
    for (;;) {
      const odd = await unsupportedFile(shadow, at).catch(() => undefined);
      if (odd !== undefined) refusal.abort(refused(odd));
      first.resolve();
      if (odd !== undefined || done.signal.aborted) return;
      await delay(againMs, undefined, { signal: done.signal });
    }
  };
  const limit = setTimeout(() => refusal.abort(tooLong(at, limitMs)), limitMs);
  const watching = cancelledBy(AbortSignal.any([stop, done.signal]), watch).catch(() => first.resolve());
  try {
    const result = await cancelledBy(stop, work);
    await first.promise;
    if (refusal.signal.aborted) throw refusal.signal.reason;
    return result;
  } catch (error) {
    throw refusal.signal.aborted ? refusal.signal.reason : error;
  } finally {
    clearTimeout(limit);
    done.abort();
    await watching;
  }
}

function refused({ path, what }: { readonly path: string; readonly what: string }): Failure {
  return new Failure(
    'REPOSITORY_UNREADABLE',
    `${path} is ${what}, and git reads files of that name: remove it, or replace it with a regular file`,
  );
}

function tooLong({ workTree }: CheckoutFolder, limitMs: number): Failure {
  const seconds = Math.round(limitMs / 1000);
  return new Failure(
    'GIT_TIMED_OUT',
    `reading ${workTree} took longer than ${seconds} s and was stopped: have git ignore files that need no review, and try again`,
  );
}
