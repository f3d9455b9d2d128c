import type { MonotonicClock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import type { Written } from '#world/terminal/terminal.ts';
import { monotonicUntil } from './permission.ts';

/** Where something may be typed until a time by the clock's monotonic count, and whether anything may have been. */
export interface Traces {
  readonly clock: MonotonicClock;
  readonly until: number;
  isTyped: boolean;
}

/** Types while that is permitted, and notes that it did: a write that fails may have come through. */
export async function typeWithin(traces: Traces, type: (until: number) => Promise<Written>): Promise<Written> {
  const { isTyped, clock } = traces;
  const until = monotonicUntil(traces, clock);
  traces.isTyped = true;
  const written = await type(until);
  traces.isTyped = isTyped || written === 'written';
  return written;
}

/**
 * Does what types. Once something may have been typed no failure says that nothing was.
 * @throws DEADLINE_EXCEEDED in place of UNAVAILABLE, ABORTED in place of FAILED_PRECONDITION
 */
export async function truthfully<T>(traces: Pick<Traces, 'isTyped'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const doubt = error instanceof Failure && traces.isTyped ? doubts.get(error.code) : undefined;
    if (doubt === undefined) throw error;
    const { message } = error as Failure;
    throw new Failure(doubt, `Part of it may have been typed: check the agent before you try again. ${message}`, {
      cause: error,
    });
  }
}

/** The reason that stands for a code that says that nothing was done. */
const doubts: ReadonlyMap<string, 'TYPING_TIMED_OUT' | 'TYPING_INTERRUPTED'> = new Map([
  ['unavailable', 'TYPING_TIMED_OUT'],
  ['failed_precondition', 'TYPING_INTERRUPTED'],
]);
