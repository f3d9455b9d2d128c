// Runs the test files that its parent names, one after the other, and reports the result of each.
import { readFileSync, rmSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import Mocha from 'mocha';
import { cpuTime } from './cpu-time.ts';

/** The result of a run. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

/** The result of one file, with the output to show. */
export interface FileOutcome extends Totals {
  /** Tests that this machine cannot run. */
  readonly skipped: number;
  /** Each test with its result; empty if only failures are shown. */
  readonly output: string;
  /** Each test that failed: its title, the error, the difference and the stack. Empty if none did. */
  readonly failures: string;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
  /** The processor time that it took, with the processes that it started and ended, in milliseconds. */
  readonly cpuMs: number;
  /** What the process that ran it has in memory since, in bytes. */
  readonly resident: number;
}

const { Base } = Mocha.reporters;
const isBrief = process.env['CI'] !== undefined;
/** What the title of a test must contain, where not every one runs. */
const title = process.env['MUSTER_TEST_TITLE'];
const options: Mocha.MochaOptions = {
  timeout: 120_000,
  forbidOnly: isBrief,
  color: process.env['MUSTER_TEST_COLOR'] === 'true',
  reporter: isBrief ? Base : 'spec',
  ...(title === undefined ? {} : { grep: new RegExp(title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')) }),
};
/** How much longer than it says a test may take: the machine may have more to do than its tests. */
const patience = 3;
/** Where processes that tests start record their unhandled errors (`support/fault-note.cjs`). */
const faults = process.env['MUSTER_TEST_FAULTS'] ?? '';
const preload = fileURLToPath(new URL('./support/fault-note.cjs', import.meta.url));
process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --require=${JSON.stringify(preload)}`.trim();

// Those that it starts have another number.
process.env['MUSTER_TEST_WORKER'] = String(process.pid);

/** Unhandled rejections in this process that were not reported yet. */
const rejections: string[] = [];
/** What runs at the moment, in words. */
let under = 'no test';
process.on('unhandledRejection', (reason) => {
  rejections.push(`unhandledRejection in the tests’ own process, at ${under}: ${format(reason)}`);
});
process.on('message', (file: string) => {
  void run(file).then((outcome) => process.send?.(outcome));
});
process.once('disconnect', () => {
  if (rejections.length > 0) process.stderr.write(`${rejections.join('\n\n')}\n`);
  process.exit(rejections.length === 0 ? 0 : 1);
});

async function run(file: string): Promise<FileOutcome> {
  const cpuBefore = cpuTime();
  process.env['MUSTER_TEST_FILE'] = file;
  const mocha = new Mocha(options);
  await load(mocha, file);
  mocha.suite.eachTest((test) => void test.timeout(test.timeout() * patience));
  for (const hook of hooksOf(mocha.suite)) hook.timeout(hook.timeout() * patience);
  mocha.suite.afterAll('no process had an error that nobody handled', refuseFaults);
  const started = performance.now();
  const failed: Mocha.Test[] = [];
  let stats: Mocha.Stats | undefined;
  const output = await shown(async () => {
    await new Promise<void>((resolve) => {
      const runner = mocha.run(() => resolve());
      runner.on('fail', (test) => failed.push(test));
      runner.on('test', (test) => {
        under = `${file}: ${test.fullTitle()}`;
      });
      ({ stats } = runner);
    });
  });
  // Else the listeners of each file, and all that they hold, are kept to the end.
  mocha.dispose();
  const { passes: passed = 0, failures = 0, pending: skipped = 0 } = stats ?? {};
  const tookMs = performance.now() - started;
  return {
    output,
    failures: failed.length === 0 ? '' : await shown(() => Base.list(failed)),
    passed,
    failed: failures,
    skipped,
    tookMs,
    cpuMs: cpuTime() - cpuBefore,
    resident: process.memoryUsage.rss(),
  };
}

/** What runs before and after the tests of a suite, and of the suites in it. Mocha names them in its types alone. */
function hooksOf(suite: Mocha.Suite): readonly Mocha.Hook[] {
  const own = suite as unknown as Readonly<Record<string, readonly Mocha.Hook[]>>;
  const here = ['_beforeAll', '_beforeEach', '_afterEach', '_afterAll'].flatMap((name) => own[name] ?? []);
  return [...here, ...suite.suites.flatMap(hooksOf)];
}

/**
 * What Mocha prints while a piece of work continues: several files run at once, and what belongs to one is shown
 * together.
 */
async function shown(work: () => unknown): Promise<string> {
  let output = '';
  (Base as { consoleLog?: typeof console.log }).consoleLog = (...given) => {
    output += `${format(...given)}\n`;
  };
  await work();
  return output;
}

/** @throws Error when this process, or one that a test of this file started, had an unhandled error. */
async function refuseFaults(): Promise<void> {
  await turn();
  const noted = readFileSync(faults, { encoding: 'utf8', flag: 'a+' });
  rmSync(faults);
  const lines = noted.split('\n').filter(Boolean);
  const errors = [...rejections.splice(0), ...lines.map((line) => String(JSON.parse(line)))];
  if (errors.length > 0) throw new Error(errors.join('\n\n'));
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
