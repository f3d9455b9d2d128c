import type { Log } from '#contract/process-context.ts';
import type { Timer } from '#world/concurrency/timer.ts';

/** When a child that runs and does not answer is taken for hung. */
export interface HealthLimits {
  /** The pause between two questions, in milliseconds. */
  readonly everyMs: number;
  /** How long an answer may take, in milliseconds. */
  readonly answerMs: number;
  /** So many in a row without an answer, and the child is ended. */
  readonly misses: number;
  /**
   * How long a child that was started is left alone after one was ended, so that a busy machine starts none again and
   * again.
   */
  readonly apartMs: number;
}

/** A minute without any answer, and at most one child ended in three minutes. */
export const defaultHealthLimits: HealthLimits = { everyMs: 5_000, answerMs: 10_000, misses: 4, apartMs: 120_000 };

/** A child whose health is asked after. */
export interface HealthSubject {
  readonly name: string;
  /** Whether it answers within this many milliseconds. */
  answers(withinMs: number): Promise<boolean>;
  /** Ends it; whoever keeps it running then starts it again. */
  end(): Promise<unknown>;
}

/** How a child's health is asked after. */
export interface Tending {
  readonly limits: HealthLimits;
  /** How long to wait before the first question, in milliseconds. */
  readonly afterMs: number;
  readonly clock: Timer;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Asks a running child again and again whether it answers, and ends it if it does not for long enough. A question that
 * this process itself was late with says nothing of the child: the machine was asleep, or too busy for both.
 * @returns whether it was ended
 */
export async function tendHealth(
  { name, answers, end }: HealthSubject,
  { limits, afterMs, clock, signal }: Tending,
  log: Log,
): Promise<boolean> {
  let misses = 0;
  await clock.sleep(afterMs, signal);
  while (!signal.aborted) {
    const asked = clock.now();
    const isWell = await answers(limits.answerMs);
    const took = clock.now() - asked;
    if (isWell) misses = 0;
    else if (took < 2 * limits.answerMs) misses += 1;
    if (signal.aborted) return false;
    if (misses >= limits.misses) {
      log.error(
        { child: name, misses, answerMs: limits.answerMs },
        'a child process runs and does not answer: ending it',
      );
      await end();
      return true;
    }
    await clock.sleep(limits.everyMs, signal);
  }
  return false;
}
