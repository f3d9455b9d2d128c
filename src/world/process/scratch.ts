import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProcess } from './process-tree.ts';

const scratchName = /^muster-git-([0-9]+)-/;
/**
 * Where this process makes its folders: in the state folder once it was said, since others may write where all are at
 * home.
 */
let place: string | undefined;

/** Says where this process makes folders for files of the moment from now on. */
export function keepScratchIn(folder: string): void {
  place = folder;
}

/** Makes a folder for files of the moment. Its name carries this process's id, so that one left behind can be found. */
export async function makeScratch(): Promise<string> {
  if (place !== undefined) await mkdir(place, { recursive: true, mode: 0o700 });
  return mkdtemp(join(place ?? tmpdir(), `muster-git-${process.pid}-`));
}

/**
 * Removes the folders that processes left behind which were killed, and returns the names of those that could not be:
 * nobody needs them gone.
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
