import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Has the names in a folder outlive a power cut: a file that was synced may otherwise be there without its name. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch (error) {
    // Some network file systems know no such thing.
    if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
  } finally {
    closeSync(folder);
  }
}
