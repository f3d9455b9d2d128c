import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MonotonicClock } from '#contract/clock.ts';
import { systemTimer } from '#world/concurrency/timer.ts';

/** The machine's clock, ahead by as much as a test has let pass in an installation, in milliseconds. */
export function shiftedTime(home: string): MonotonicClock & { pass(milliseconds: number): void } {
  const file = join(home, 'passed');
  const passed = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  return {
    now: () => systemTimer.now() + passed(),
    monotonic: () => systemTimer.monotonic() + passed(),
    pass(milliseconds) {
      // Renamed, so that no reader meets a file that is half written.
      writeFileSync(`${file}.new`, String(passed() + milliseconds));
      renameSync(`${file}.new`, file);
    },
  };
}
