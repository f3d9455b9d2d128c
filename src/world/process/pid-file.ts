import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { argumentsOf, findProcess } from './process-tree.ts';

/** What distinguishes a running process from a later one with the same id. */
const PidRecord = z.object({ pid: z.int().min(2), started: z.string(), argv: z.array(z.string()) });
type PidRecord = z.infer<typeof PidRecord>;

/** Records which process runs, so that `endSurvivor` finds it after its parent was killed. */
export async function writePidFile(path: string, pid: number | undefined): Promise<void> {
  const note = pid === undefined ? undefined : await look(pid);
  if (note !== undefined) writePrivateFile(path, `${JSON.stringify(note)}\n`);
}

/** Removes the record of a process. */
export function removePidFile(path: string): void {
  rmSync(path, { force: true });
}

/** The id of the process that a pid file names, if that very process still runs. */
export async function findSurvivor(path: string): Promise<number | undefined> {
  const noted = readNote(path);
  return noted !== undefined && (await stillRuns(noted)) ? noted.pid : undefined;
}

/**
 * Ends the process that a pid file names if it still runs: SIGTERM, and SIGKILL after `graceMs`. A process that only
 * has the same id (another start, or another command line) is left alone. Returns the id of the process it ended.
 */
export async function endSurvivor(path: string, graceMs: number): Promise<number | undefined> {
  const noted = readNote(path);
  if (noted === undefined || !(await stillRuns(noted))) {
    removePidFile(path);
    return undefined;
  }
  process.kill(noted.pid, 'SIGTERM');
  if (!(await gone(noted, graceMs))) {
    process.kill(noted.pid, 'SIGKILL');
    await gone(noted, 2_000);
  }
  removePidFile(path);
  return noted.pid;
}

async function look(pid: number): Promise<PidRecord | undefined> {
  const [found, argv] = await Promise.all([findProcess(pid), argumentsOf(pid)]);
  return found && { pid, started: found.started, argv };
}

function readNote(path: string): PidRecord | undefined {
  try {
    return PidRecord.parse(JSON.parse(readPrivateFile(path) ?? ''));
  } catch {
    return undefined; // Absent, or half-written by hand: it names nobody.
  }
}

async function stillRuns(noted: PidRecord): Promise<boolean> {
  const now = await look(noted.pid);
  return now?.started === noted.started && now.argv.join('\0') === noted.argv.join('\0');
}

async function gone(noted: PidRecord, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (await stillRuns(noted)) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}
