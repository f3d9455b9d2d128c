import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readPrivateFile, writePrivateFile } from './private-file.ts';
import { type ProcessFacts, processFacts } from './process-table.ts';

/** Notes which process runs, so that `endSurvivor` finds it after its parent died without a word. */
export function writePidFile(path: string, pid: number | undefined): void {
  const facts = pid === undefined ? undefined : processFacts(pid);
  if (facts !== undefined) writePrivateFile(path, `${JSON.stringify(facts)}\n`);
}

/** Forgets the process that a pid file names. */
export function removePidFile(path: string): void {
  rmSync(path, { force: true });
}

/**
 * Ends the process that a pid file names where it still runs: SIGTERM, and SIGKILL after `graceMs`. A process that only
 * has the same id (another start time or another command line) is left alone. Gives the id of the process it ended.
 */
export async function endSurvivor(path: string, graceMs: number): Promise<number | undefined> {
  const noted = readNote(path);
  if (noted === undefined || !stillRuns(noted)) {
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

function readNote(path: string): ProcessFacts | undefined {
  try {
    const { pid, startedAt, command } = JSON.parse(readPrivateFile(path) ?? '') as Partial<ProcessFacts>;
    if (!Number.isInteger(pid) || pid === undefined || pid <= 1) return undefined;
    return typeof startedAt === 'string' && typeof command === 'string' ? { pid, startedAt, command } : undefined;
  } catch {
    return undefined;
  }
}

function stillRuns(noted: ProcessFacts): boolean {
  const now = processFacts(noted.pid);
  return now !== undefined && now.startedAt === noted.startedAt && now.command === noted.command;
}

async function gone(noted: ProcessFacts, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (stillRuns(noted)) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}
