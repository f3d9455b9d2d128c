import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';

/** How long to wait before one that is away is asked again, in milliseconds. */
const askEvery = 500;

/**
 * Makes a question patient: once it has been answered, an answering side that is away is asked again, and only after
 * `patienceMs` without an answer is it `unavailable`. A question that was never answered fails at once.
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

/** Whether the answering side is away, so that asking again may help. */
export function isAway(error: unknown): error is Failure {
  return error instanceof Failure && (error.code === 'unavailable' || error.code === 'deadline_exceeded');
}

/**
 * No deadline of the caller has passed if the registry is silent: it is just not there. What it has answered, such as
 * that a host is away, stays as it is: only what was found out on this side has a cause.
 */
function unavailable(cause: Failure): Failure {
  if (cause.code === 'unavailable' && cause.cause === undefined) return cause;
  return new Failure('REGISTRY_SILENT', 'The registry does not answer: watch again from the last cursor', { cause });
}
