// Runs the test files of its arguments one after the other, and tells its parent how many passed and failed.
import Mocha from 'mocha';

/** What a run came to. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

const mocha = new Mocha({ timeout: 10_000, forbidOnly: process.env['CI'] !== undefined });
for (const file of process.argv.slice(2)) await load(file);
const runner = mocha.run(() => {
  const { passes: passed = 0, failures: failed = 0 } = runner.stats ?? {};
  const totals: Totals = { passed, failed };
  if (process.send === undefined) process.exit();
  process.send(totals, () => process.exit());
});

/** Loads a file's tests; a file that cannot be loaded is a failing test of its own, and the others still run. */
async function load(file: string): Promise<void> {
  try {
    mocha.files = [file];
    await mocha.loadFilesAsync();
  } catch (error) {
    Mocha.Suite.create(mocha.suite, file).addTest(
      new Mocha.Test('can be loaded', () => {
        throw error;
      }),
    );
  }
}
