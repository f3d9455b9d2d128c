import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MonotonicClock } from '#contract/clock.ts';

/** What the moved clock shows before it is moved. */
export const morning = Date.UTC(2026, 10, 21, 9);

/** The clock of an installation that a test moves from outside, in milliseconds since 1970. It is on its own. */
export function movedTime(home: string): MonotonicClock & { pass(milliseconds: number): void } {
  const file = join(home, 'time');
  const now = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : morning);
  return {
    now,
    monotonic: now,
    pass(milliseconds) {
      // Renamed, so that no reader meets a file that is half written.
      writeFileSync(`${file}.new`, String(now() + milliseconds));
      renameSync(`${file}.new`, file);
    },
  };
}
