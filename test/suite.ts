// Runs the test files of its arguments one after the other, and tells its parent how many passed and failed.
import Mocha from 'mocha';

/** What a run came to. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

const mocha = new Mocha({ timeout: 10_000, forbidOnly: process.env['CI'] !== undefined });
for (const file of process.argv.slice(2)) mocha.addFile(file);
await mocha.loadFilesAsync();
const runner = mocha.run(() => {
  const { passes: passed = 0, failures: failed = 0 } = runner.stats ?? {};
  const totals: Totals = { passed, failed };
  if (process.send === undefined) process.exit();
  process.send(totals, () => process.exit());
});
