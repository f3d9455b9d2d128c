import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';

/** How long to wait between attempts, in milliseconds. */
const askEvery = 500;

/**
 * Makes a request retry: after the first answer, an unreachable side is asked again for up to `patienceMs`, and only
 * then does the request fail as `unavailable`. A request that has never been answered fails at once.
 */
export function retrying<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  patienceMs: number,
  signal: AbortSignal,
): (question: Question) => Promise<Answer> {
  let answered = false;
  return async (question) => {
    const since = performance.now();
    for (;;) {
      try {
        const answer = await ask(question);
        answered = true;
        return answer;
      } catch (error) {
        if (!isAway(error)) throw error;
        if (!answered || signal.aborted || performance.now() - since > patienceMs) throw unavailable(error);
      }
      await delay(askEvery, undefined, { signal }).catch(() => undefined);
    }
  };
}

/** Whether the other side is unreachable, so that a retry may help. */
export function isAway(error: unknown): error is Failure {
  return error instanceof Failure && (error.code === 'unavailable' || error.code === 'deadline_exceeded');
}

/**
 * Turns a silent registry into `unavailable`, because no deadline of the caller has passed. Failures that the registry
 * itself answered, such as an unreachable host, stay unchanged: they have no cause.
 */
function unavailable(cause: Failure): Failure {
  if (cause.code === 'unavailable' && cause.cause === undefined) return cause;
  return new Failure('REGISTRY_SILENT', 'The registry does not answer: watch again from the last cursor', { cause });
}
