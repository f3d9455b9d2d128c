import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Syncs the names in a folder, so that they survive a power failure. Syncing a file does not sync its name. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch (error) {
    // Some network file systems do not support this.
    if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
  } finally {
    closeSync(folder);
  }
}
