import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FileOutcome, Totals } from './suite.ts';

const suite = fileURLToPath(new URL('./suite.ts', import.meta.url));
const workersMost = 4;
/** A process that has more in memory, in bytes, is replaced: the more it has, the longer each start of a program takes it. */
const residentMost = 300 * 1024 * 1024;

/** What all files came to, and how long each took, in milliseconds. */
export interface Result extends Totals {
  readonly times: ReadonlyMap<string, number>;
}

export interface WorkOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What of a file's outcome counts. */
type Counted = Pick<FileOutcome, 'output' | 'passed' | 'failed'> & Partial<Pick<FileOutcome, 'tookMs'>>;
type Count = (file: string, outcome: Counted) => void;

/**
 * Runs test files in one process more than the machine has cores, since tests wait a good deal, and in four at most; each
 * takes the next file when it is done with one, and what a file came to is printed at once. A process that dies counts as a
 * failure of the file it was at.
 */
export async function runFiles(files: readonly string[], options: WorkOptions): Promise<Result> {
  const queue = [...files];
  const result = { passed: 0, failed: 0, times: new Map<string, number>() };
  const workers = new Set<ChildProcess>();
  const count: Count = (file, { output, passed, failed, tookMs = 0 }) => {
    process.stdout.write(output);
    result.passed += passed;
    result.failed += failed;
    result.times.set(file, tookMs);
  };
  // A Ctrl-C reaches the processes by itself: they end, and what they leave is cleared away.
  process.on('SIGINT', () => queue.splice(0));
  process.on('SIGTERM', () => {
    queue.splice(0);
    for (const worker of workers) worker.kill('SIGTERM');
  });
  const work = async (): Promise<void> => {
    while (queue.length > 0) {
      const worker = fork(suite, [], options);
      workers.add(worker);
      await drain(worker, queue, count);
      workers.delete(worker);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workersMost, availableParallelism() + 1, files.length) }, work));
  return result;
}

/** Lets one process run files until there are none left, it has grown, or it dies. */
function drain(worker: ChildProcess, queue: string[], count: Count): Promise<void> {
  return new Promise((resolve) => {
    let at: string | undefined;
    const next = (): void => {
      at = queue.shift();
      if (at === undefined) worker.disconnect();
      else worker.send(at);
    };
    const end = (): void => {
      at = undefined;
      worker.disconnect();
    };
    worker.on('message', (outcome: FileOutcome) => {
      const isEmpty = outcome.passed + outcome.failed + outcome.skipped === 0;
      count(at ?? '', isEmpty ? { ...outcome, output: `\n${at} holds no test that ran.\n`, failed: 1 } : outcome);
      if (outcome.resident > residentMost) end();
      else next();
    });
    worker.once('exit', (status, signal) => {
      const output = `\n${at} did not run to its end (${signal ?? status}).\n`;
      if (at !== undefined) count(at, { output, passed: 0, failed: 1 });
      resolve();
    });
    next();
  });
}
