import type { Ids, MonotonicClock } from '#contract/clock.ts';

/** A clock that is stopped until a test advances it. */
export interface TestClock extends MonotonicClock {
  /** Moves the clock on. */
  pass(milliseconds: number): void;
  /** Sets the clock by so much, as an administrator does: no time passes. */
  step(milliseconds: number): void;
}

/** A clock that shows the morning of 21 November 2026. */
export function testClock(start = Date.UTC(2026, 10, 21, 9)): TestClock {
  let [now, passed] = [start, 0];
  return {
    now: () => now,
    monotonic: () => passed,
    pass(milliseconds) {
      now += milliseconds;
      passed += milliseconds;
    },
    step(milliseconds) {
      now += milliseconds;
    },
  };
}

/** Ids that are counted, so that a test can foretell and read them. */
export function testIds(): Ids {
  // Packages of moves are made in the background, so that they must not take the number of anything else.
  const made = { package: 0, other: 0 };
  const next = (what: keyof typeof made) => {
    made[what] += 1;
    return String(made[what]).padStart(6, '0');
  };
  return {
    id: (prefix) => `${prefix}_${next(prefix === 'mov' ? 'package' : 'other')}`,
    uuid: () => `00000000-0000-4000-8000-000000${next('other')}`,
  };
}
