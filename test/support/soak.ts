/** Whether this run is `npm run soak`: there the tests do at full length what the suite does in part. */
export const isSoak = process.env['MUSTER_TEST_SOAK'] === 'true';

/** How often a test does something: so often in the suite, so often in soak, or as often as the variable says. */
export function timesOf(variable: `MUSTER_TEST_${string}`, suite: number, soak: number): number {
  return Number(process.env[variable] ?? (isSoak ? soak : suite));
}

/** The body of a test. */
export type Test = (this: Mocha.Context) => Promise<void> | void;

/** A test that runs in soak alone: another one of the suite shows the same with less. */
export function inSoak(title: string, test: Test): void {
  if (isSoak) it(title, test);
}

/** A test of git, a CLI or a thread beside a store: in the suite on SQLite alone, in soak on PostgreSQL as well. */
export function besideStore(title: string, test: Test): void {
  if (process.env['MUSTER_TEST_DATABASE'] === 'postgres') inSoak(title, test);
  else it(title, test);
}
