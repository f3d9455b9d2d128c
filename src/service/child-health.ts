import type { Log } from '#contract/process-context.ts';
import type { Timer } from '#world/concurrency/timer.ts';

/** When a running child that does not answer counts as hung. */
export interface HealthLimits {
  /** The pause between two checks, in milliseconds. */
  readonly everyMs: number;
  /** How long an answer may take, in milliseconds. */
  readonly answerMs: number;
  /** After how many unanswered checks in a row the child is ended. */
  readonly misses: number;
  /**
   * How long a restarted child is not checked, in milliseconds, so that a busy computer does not restart it repeatedly.
   */
  readonly apartMs: number;
}

/** A child is ended after a minute without an answer, and at most once in three minutes. */
export const defaultHealthLimits: HealthLimits = { everyMs: 5_000, answerMs: 10_000, misses: 4, apartMs: 120_000 };

/** A child whose health is checked. */
export interface HealthSubject {
  readonly name: string;
  /** Whether it answers within this many milliseconds. */
  answers(withinMs: number): Promise<boolean>;
  /** Ends it, so that its supervisor restarts it. */
  end(): Promise<unknown>;
}

/** The options of checking a child's health. */
export interface HealthCheckOptions {
  readonly limits: HealthLimits;
  /** How long to wait before the first check, in milliseconds. */
  readonly afterMs: number;
  readonly clock: Timer;
  /** Ends the checks. */
  readonly signal: AbortSignal;
}

/**
 * Regularly checks whether a running child answers, and ends it if it does not for long enough. A check that this
 * process itself ran late does not count, because the computer was asleep or too busy.
 * @returns whether the child was ended
 */
export async function checkHealth(
  { name, answers, end }: HealthSubject,
  { limits, afterMs, clock, signal }: HealthCheckOptions,
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
        'a child process runs but does not answer: ending it',
      );
      await end();
      return true;
    }
    await clock.sleep(limits.everyMs, signal);
  }
  return false;
}
