import type { Clock, Ids } from '#contract/clock.ts';

/** A clock that stands until a test moves it. */
export interface TestClock extends Clock {
  /** Moves the clock on. */
  pass(milliseconds: number): void;
}

/** A clock that shows the morning of 21 November 2026. */
export function testClock(start = Date.UTC(2026, 10, 21, 9)): TestClock {
  let now = start;
  return {
    now: () => now,
    pass(milliseconds) {
      now += milliseconds;
    },
  };
}

/** Ids that are counted, so that a test can foretell and read them. */
export function testIds(): Ids {
  let made = 0;
  const next = () => String(++made).padStart(6, '0');
  return { id: (prefix) => `${prefix}_${next()}`, uuid: () => `00000000-0000-4000-8000-000000${next()}` };
}
