// Runs the test files that its parent names, one after the other, and tells what each came to.
import { format } from 'node:util';
import Mocha from 'mocha';

/** What a run came to. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

/** What one file came to, with what is to be shown of it. */
export interface FileOutcome extends Totals {
  /** Tests that this machine cannot run. */
  readonly skipped: number;
  readonly output: string;
}

process.on('message', (file: string) => {
  void run(file).then((outcome) => process.send?.(outcome));
});
process.once('disconnect', () => process.exit());

async function run(file: string): Promise<FileOutcome> {
  const mocha = new Mocha({ timeout: 60_000, forbidOnly: process.env['CI'] !== undefined });
  let output = '';
  // Several run at once: what belongs to one file is shown together.
  (Mocha.reporters.Base as { consoleLog?: typeof console.log }).consoleLog = (...given) => {
    output += `${format(...given)}\n`;
  };
  await load(mocha, file);
  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
  });
  return { output, passed: stats?.passes ?? 0, failed: stats?.failures ?? 0, skipped: stats?.pending ?? 0 };
}

/** Loads a file's tests; a file that cannot be loaded is a failing test of its own. */
async function load(mocha: Mocha, file: string): Promise<void> {
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
