import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProcess } from './process-tree.ts';

const scratchName = /^muster-git-([0-9]+)-/;
/**
 * Where this process makes its temporary folders: in the state folder once that is known, because others can write to
 * the system's.
 */
let place: string | undefined;

/** Sets where this process makes temporary folders from now on. */
export function keepScratchIn(folder: string): void {
  place = folder;
}

/** Makes a temporary folder. Its name contains this process's id, so that one left behind can be found. */
export async function makeScratch(): Promise<string> {
  if (place !== undefined) await mkdir(place, { recursive: true, mode: 0o700 });
  return mkdtemp(join(place ?? tmpdir(), `muster-git-${process.pid}-`));
}

/**
 * Removes the temporary folders of processes that were killed, and returns the names of those that could not be
 * removed, which do no harm.
 */
export async function sweepScratch(folder: string): Promise<string[]> {
  const stuck: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const owner = scratchName.exec(name)?.[1];
    if (owner === undefined || Number(owner) === process.pid) continue;
    try {
      if ((await findProcess(Number(owner))) !== undefined) continue;
      await rm(join(folder, name), { recursive: true, force: true });
    } catch {
      stuck.push(name);
    }
  }
  return stuck;
}
