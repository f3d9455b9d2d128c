import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { computerName } from '#world/computer-name.ts';
import { filesIn } from '#world/file/files-in.ts';
import { findProcess } from '#world/process/process-tree.ts';

/** After how long without a change a file or folder of another machine's backup counts as left behind, in milliseconds. */
const staleMs = 24 * 60 * 60 * 1_000;

const pattern = /(?:^|\.)muster-part-(?<machine>.+)-(?<pid>\d+)(?:-\w{6})?$/;

/** The end of the names of what a backup of this process has in progress. It names machine and process. */
export function ownPart(): string {
  return `muster-part-${computerName()}-${process.pid}`;
}

/**
 * Removes what killed backups left in a folder: their process is gone. On another machine that cannot be seen, so there
 * it is what has not changed for a day. What may not be removed stays.
 */
export async function removeLeftBehind(folder: string, now: Date): Promise<void> {
  for (const name of filesIn(folder)) {
    try {
      if (await isLeftBehind(folder, name, now)) rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user, say. That must not prevent a backup.
    }
  }
}

async function isLeftBehind(folder: string, name: string, now: Date): Promise<boolean> {
  const { machine, pid } = pattern.exec(name)?.groups ?? {};
  if (machine === undefined) return false;
  const changedAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
  if (now.getTime() - changedAt > staleMs) return true;
  return machine === computerName() && (await findProcess(Number(pid))) === undefined;
}
