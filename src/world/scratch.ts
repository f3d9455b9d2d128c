import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProcess } from './process-tree.ts';

const scratchName = /^muster-git-([0-9]+)-/;

/** Makes a folder for files of the moment. Its name carries this process's id, so that one left behind can be found. */
export function makeScratch(): Promise<string> {
  return mkdtemp(join(tmpdir(), `muster-git-${process.pid}-`));
}

/** Removes the folders that processes left behind which were killed. */
export async function sweepScratch(): Promise<void> {
  const folder = tmpdir();
  for (const name of await readdir(folder)) {
    const owner = scratchName.exec(name)?.[1];
    if (owner === undefined || Number(owner) === process.pid) continue;
    if ((await findProcess(Number(owner))) === undefined)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}
