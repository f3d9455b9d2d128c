import { storm } from '#test/crash/schedule-storm.ts';
import type { Homes } from '../stage/homes.ts';
import { report } from '../stage/report.ts';

/** Counts 100,000 firings that two schedulers record while one of them is killed repeatedly. */
export async function benchSchedulesStorm(
  _: Homes,
  [schedules = 200, minutes = 500]: readonly number[],
): Promise<void> {
  const { expected, found, missing, doubled, kills } = await storm({
    schedules,
    minutes,
    killEvery: 2_000,
    failing: 20,
    pace: 300,
  });
  report(
    'Firings on record after a storm',
    'two schedulers on one database, killed at random moments; 2 % of all writes fail at their end',
    ['DUE', 'ON RECORD', 'MISSING', 'DOUBLED', 'KILLS'],
    [[expected, found, missing, doubled, kills].map(String)],
  );
}
