import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkout } from './checkout.ts';

/** Files that were changed less than this long ago may be changed again without a sign of it, in milliseconds. */
const settledMs = 1_000;

/**
 * A mark on the files that a reading of a checkout comes from: while it stays the same, reading the checkout again
 * would give the same. It takes a few file stats, about a fiftieth of a reading. Undefined if the files are too fresh for
 * the file system's clock to distinguish changes.
 * @param dir the folder that was read
 * @param now the time, in milliseconds since 1970
 */
export function checkoutMark(dir: string, { gitDir, commonDir, branch }: Checkout, now: number): string | undefined {
  const shared = ['config', 'packed-refs', 'reftable/tables.list', ...(branch ? [`refs/heads/${branch}`] : [])];
  const files = [
    join(dir, '.git'),
    gitDir,
    join(gitDir, 'HEAD'),
    join(gitDir, 'reftable/tables.list'),
    ...shared.map((name) => join(commonDir, name)),
  ];
  return markOn(files, now);
}

/**
 * A mark on files that changes with any of them, as far as the system shows. Undefined if one is too fresh for the file
 * system's clock to distinguish changes.
 */
export function markOn(files: readonly string[], now: number): string | undefined {
  const marks = files.map(markOf);
  const newest = Math.max(...marks.map(({ changed }) => changed));
  return newest > now - settledMs ? undefined : marks.map(({ text }) => text).join();
}

/**
 * What the system says of a file that changes whenever it is written, replaced or removed, and of a folder likewise.
 */
function markOf(path: string): { readonly text: string; readonly changed: number } {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return { text: '', changed: 0 };
  return { text: `${stats.dev}:${stats.ino}:${stats.size}:${stats.ctimeNs}`, changed: Number(stats.ctimeMs) };
}
