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
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
  /** What the process that ran it has in memory since, in bytes. */
  readonly resident: number;
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
  const started = performance.now();
  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
  });
  const { passes: passed = 0, failures: failed = 0, pending: skipped = 0 } = stats ?? {};
  const tookMs = performance.now() - started;
  return { output, passed, failed, skipped, tookMs, resident: process.memoryUsage.rss() };
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
