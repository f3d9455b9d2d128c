import type { MonotonicClock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import type { WriteOutcome } from '#world/terminal/terminal.ts';
import { monotonicUntil } from './permission.ts';

/** The deadline for typing, on the monotonic clock, and whether anything may have been typed. */
export interface TypingAttempt {
  readonly clock: MonotonicClock;
  readonly until: number;
  isTyped: boolean;
}

/** Types before the deadline, and records that it did. A write that fails may have typed something. */
export async function typeWithin(
  attempt: TypingAttempt,
  type: (until: number) => Promise<WriteOutcome>,
): Promise<WriteOutcome> {
  const { isTyped, clock } = attempt;
  const until = monotonicUntil(attempt, clock);
  attempt.isTyped = true;
  const written = await type(until);
  attempt.isTyped = isTyped || written === 'written';
  return written;
}

/**
 * Runs work that types. Once something may have been typed, an error must not say that nothing was.
 * @throws as `work`, but DEADLINE_EXCEEDED instead of UNAVAILABLE, and ABORTED instead of FAILED_PRECONDITION, once
 *   something may have been typed
 */
export async function reportPartialTyping<T>(
  attempt: Pick<TypingAttempt, 'isTyped'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Failure && attempt.isTyped ? partialReasons.get(error.code) : undefined;
    if (reason === undefined) throw error;
    const { message } = error as Failure;
    throw new Failure(reason, `Part of it may have been typed: check the agent before you try again. ${message}`, {
      cause: error,
    });
  }
}

/** The replacement for each code that means that nothing was done. */
const partialReasons: ReadonlyMap<string, 'TYPING_TIMED_OUT' | 'TYPING_INTERRUPTED'> = new Map([
  ['unavailable', 'TYPING_TIMED_OUT'],
  ['failed_precondition', 'TYPING_INTERRUPTED'],
]);
