import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FileQueue, TestEngine, TestRun } from './file-queue.ts';
import type { FileOutcome, Totals } from './suite.ts';

const suite = fileURLToPath(new URL('./suite.ts', import.meta.url));
/** How many processes more than the machine has cores run files, and how many do at most. */
const [moreThanCores, maxWorkers] = [2, 6];
/** Node's options for a process of tests: what one test runs often is seldom worth V8's costliest compiler. */
const nodeOptions = ['--no-turbofan'];
/**
 * A process that has more in memory, in bytes, is replaced, the sooner if its next file needs other things: each start
 * of a program copies the pages' table, and takes 1.5 ms of processor time at 50 MB and 12 ms at 450 MB.
 */
const [maxResident, maxResidentOnMoving] = [700 * 1024 * 1024, 110 * 1024 * 1024];
/** How much is kept of what a file's process printed on its own, in characters. */
const maxPrinted = 64 * 1024;
/** How long what a process printed may take to arrive once it has ended, in milliseconds. */
const drainMs = 1_000;
/**
 * How long a process that has run its last file may take to end, in milliseconds. V8 can lock itself up in an exit,
 * when code is being compiled: what it tested counts anyway.
 */
const exitMs = 10_000;

/** The result of one file. */
export type FileResult = Totals & Pick<FileOutcome, 'tookMs' | 'cpuMs' | 'failures'>;

export interface WorkOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** A folder that exists as long as the run, in which its processes share files. */
  readonly folder: string;
  /** Whether titles choose the tests, so that a file may have none. */
  readonly isFiltered: boolean;
  /** Whether only a line is printed of each file, and no test on its own. */
  readonly isBrief: boolean;
  /** How many processes run files concurrently; undefined for the default of `runFiles`. */
  readonly processes?: number;
}

/** The parts of a file's outcome that are counted. */
type CountedOutcome = Pick<FileOutcome, 'output' | 'failures' | 'passed' | 'failed'> & Partial<FileOutcome>;

/** Where a process takes its files from, which one of those at work it is, and the engine that it was started for. */
interface Place {
  readonly queue: FileQueue;
  readonly index: number;
  readonly engine: TestEngine;
}

/** The result of one file, with its process's own output. */
type Count = (name: string, outcome: CountedOutcome, printed: string) => void;

/**
 * Runs test files in more processes than the machine has cores, since tests wait a good deal; six took a seventh longer
 * than four on two cores, as what runs side by side costs more. Each takes the next file when it is done with one, and a
 * file's result is printed at once. A process that dies counts as a failure of the file it was at.
 */
export async function runFiles(queue: FileQueue, options: WorkOptions): Promise<Map<string, FileResult>> {
  const results = new Map<string, FileResult>();
  const workers = new Set<ChildProcess>();
  const count: Count = (name, outcome, printed) => {
    process.stdout.write(options.isBrief ? lineOf(name, outcome) : `${outcome.output}${printed}`);
    results.set(name, added(results.get(name), outcome, printed));
  };
  // A Ctrl-C reaches the processes on its own: they end, and what they leave is cleared away.
  process.on('SIGINT', () => queue.clear());
  process.on('SIGTERM', () => {
    queue.clear();
    for (const worker of workers) worker.kill('SIGTERM');
  });
  const work = async (_: unknown, index: number): Promise<void> => {
    for (let run = queue.next(index); run !== undefined; run = queue.next(index)) {
      const { engine } = run;
      const faults = join(options.folder, `faults-${index}`);
      const env = {
        ...options.env,
        MUSTER_TEST_DATABASE: engine,
        MUSTER_TEST_FAULTS: faults,
        MUSTER_TEST_SHARED: options.folder,
      };
      const worker = fork(suite, [], { cwd: options.cwd, env, silent: true, execArgv: nodeOptions });
      workers.add(worker);
      await drain(worker, { queue, index, engine }, options.isFiltered, count);
      workers.delete(worker);
    }
  };
  const size = options.processes ?? Math.min(maxWorkers, availableParallelism() + moreThanCores);
  await Promise.all(Array.from({ length: size }).map(work));
  return results;
}

/** A file has a second outcome if its process died after the first. */
function added(before: FileResult | undefined, outcome: CountedOutcome, printed: string): FileResult {
  const { passed, failed, failures, tookMs = 0, cpuMs = 0 } = outcome;
  const told = failed === 0 ? '' : `${failures}${printed && `\nIts process printed:\n${printed}`}`;
  return {
    passed: (before?.passed ?? 0) + passed,
    failed: (before?.failed ?? 0) + failed,
    tookMs: tookMs || (before?.tookMs ?? 0),
    cpuMs: (before?.cpuMs ?? 0) + cpuMs,
    failures: `${before?.failures ?? ''}${told}`,
  };
}

/** One line for one file, such as `ok         3.4 s     2.1 s CPU  test/cli/agent/ls.test.ts: 12 passed`. */
function lineOf(name: string, { passed, failed, skipped = 0, tookMs = 0, cpuMs = 0 }: CountedOutcome): string {
  const counts = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  const [seconds, cpu] = [tookMs, cpuMs].map((ms) => (ms / 1000).toFixed(1).padStart(6));
  return `${failed > 0 ? 'FAILED' : 'ok    '} ${seconds} s  ${cpu} s CPU  ${name}: ${counts}\n`;
}

/** Lets one process run files until there are none left, it has grown, or it dies. */
async function drain(worker: ChildProcess, place: Place, isFiltered: boolean, count: Count): Promise<void> {
  const { queue, index, engine } = place;
  const printed = printedBy(worker);
  let at: TestRun | undefined;
  let last = '';
  let isStuck = false;
  let exitTimer: NodeJS.Timeout | undefined;
  const dismiss = (): void => {
    worker.disconnect();
    exitTimer = setTimeout(() => {
      isStuck = true;
      worker.kill('SIGKILL');
    }, exitMs);
  };
  const next = (): void => {
    at = queue.next(index)?.engine === engine ? queue.take(index) : undefined;
    last = at?.name ?? last;
    if (at === undefined) dismiss();
    else worker.send(at.file);
  };
  worker.on('message', (outcome: FileOutcome) => {
    const isEmpty = !isFiltered && outcome.passed + outcome.failed + outcome.skipped === 0;
    const told = isEmpty ? failed(`${last} holds no test that ran.`) : {};
    count(last, { ...outcome, ...told }, printed.take());
    at = undefined;
    const most = queue.leaves(index) ? maxResidentOnMoving : maxResident;
    if (outcome.resident > most) dismiss();
    else next();
  });
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  worker.once('close', close);
  const exited = new Promise<number | string | null>((resolve) => {
    worker.once('exit', (status, signal) => resolve(signal ?? status));
  });
  next();
  const how = await exited;
  clearTimeout(exitTimer);
  // What it left running may hold its output open.
  const late = new AbortController();
  await Promise.race([closed, pause(drainMs, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
  if (at !== undefined || (how !== 0 && !isStuck))
    count(last, failed(`${last} did not run to its end (${how}).`), printed.take());
}

/** The outcome of a file whose process did not report one that counts. */
function failed(why: string): CountedOutcome {
  return { output: `\n${why}\n`, failures: `\n  ${why}\n`, passed: 0, failed: 1 };
}

/** The output of a process, limited to its end. `take` returns the new part. */
function printedBy(worker: ChildProcess): { take(): string } {
  let text = '';
  for (const stream of [worker.stdout, worker.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text = `${text}${piece}`.slice(-maxPrinted);
    });
  }
  return {
    take() {
      const taken = text;
      text = '';
      return taken;
    },
  };
}
