import { readdir, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import { cancelSignal } from '#world/concurrency/cancellation.ts';

const pollMs = 100;
const patienceMs = 600_000;

/**
 * Waits until no git process writes a worktree's index, and returns whether the worktree has one, that is, whether it
 * was checked out completely. A git process may outlive a killed service; a killed git process leaves its lock, which
 * is removed.
 * @throws UNAVAILABLE when a git process still writes after ten minutes
 */
export async function waitForIndexLock(adminDir: string): Promise<boolean> {
  const lock = join(adminDir, 'index.lock');
  const exists = async (name: string): Promise<boolean> => (await stat(name).catch(() => undefined)) !== undefined;
  for (let waited = 0; await exists(lock); waited += pollMs) {
    if (await exists(join(adminDir, 'index'))) return true;
    if (!(await isHeld(lock))) await rm(lock, { force: true });
    else if (waited >= patienceMs)
      throw new Failure('GIT_LOCKED', `a git process has the lock ${lock}: end it and try again`);
    else await delay(pollMs, undefined, pollOptions());
  }
  return exists(join(adminDir, 'index'));
}

function pollOptions(): { signal?: AbortSignal } {
  const signal = cancelSignal();
  return signal === undefined ? {} : { signal };
}

/** Removes the lock that a killed git process left on a reference which only muster writes. */
export async function removeStaleRefLock(commonDir: string, ref: string): Promise<void> {
  const lock = join(commonDir, `${ref}.lock`);
  if ((await stat(lock).catch(() => undefined)) !== undefined && !(await isHeld(lock))) await rm(lock, { force: true });
}

/**
 * Whether any of the user's processes has the file open. Without /proc that is unknown, and the lock counts as stale.
 */
async function isHeld(path: string): Promise<boolean> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of processes) {
    const folder = `/proc/${id}/fd`;
    for (const fd of await readdir(folder).catch(() => [])) {
      if ((await readlink(join(folder, fd)).catch(() => '')) === path) return true;
    }
  }
  return false;
}
