import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mergedByTime } from '#contract/host/log-record.ts';

const suffix = '.jsonl';
/** Limits: bytes read from the end of a file, and characters of one record and of all records. */
const max = { read: 256 * 1024, record: 2_000, all: 200_000 } as const;

/** The newest records of logs, and the processes that have a log. */
export interface NewestRecords {
  readonly records: string[];
  readonly processes: string[];
}

/**
 * The newest records in a folder of logs, merged by time in ascending order. `process` limits it to one process, unless
 * it is empty.
 */
export async function newestRecords(folder: string, process: string, count: number): Promise<NewestRecords> {
  const processes = await loggedProcesses(folder);
  const wanted = processes.filter((name) => process === '' || name === process);
  const logs = await Promise.all(wanted.map((name) => lastLines(join(folder, name + suffix), count)));
  const newest = mergedByTime(logs)
    .slice(-count)
    .map((line) => line.slice(0, max.record));
  while (newest.reduce((sum, { length }) => sum + length, 0) > max.all) newest.shift();
  return { records: newest, processes };
}

async function loggedProcesses(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort();
}

/** The last lines of a log, also from the previous file if the newest has fewer. */
async function lastLines(path: string, count: number): Promise<readonly string[]> {
  const newest = await endOf(path);
  const older = newest.length < count ? await endOf(`${path}.1`) : [];
  return [...older, ...newest].slice(-count);
}

async function endOf(path: string): Promise<readonly string[]> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return [];
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - max.read);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer.subarray(0, bytesRead).toString('utf8').split('\n');
    // The first line may be incomplete.
    return (start > 0 ? lines.slice(1) : lines).filter(Boolean);
  } finally {
    await file.close();
  }
}
