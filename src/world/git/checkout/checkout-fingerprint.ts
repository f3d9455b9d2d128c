import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkout } from './checkout.ts';

/** A file changed less than this long ago may change again without a different timestamp, in milliseconds. */
const settledMs = 1_000;

/**
 * A fingerprint of the files that a checkout is read from: while it is the same, reading the checkout again would give
 * the same result. It costs a few stats, about a fiftieth of a reading. Undefined if the files changed too recently for
 * the file system's timestamps to show further changes.
 * @param dir the folder that was read
 * @param now the time, in milliseconds since 1970
 */
export function checkoutFingerprint(
  dir: string,
  { gitDir, commonDir, branch }: Checkout,
  now: number,
): string | undefined {
  const shared = ['config', 'packed-refs', 'reftable/tables.list', ...(branch ? [`refs/heads/${branch}`] : [])];
  const files = [
    join(dir, '.git'),
    gitDir,
    join(gitDir, 'HEAD'),
    join(gitDir, 'reftable/tables.list'),
    ...shared.map((name) => join(commonDir, name)),
  ];
  return fingerprintOf(files, now);
}

/**
 * A fingerprint that changes with any of the files, as far as their stats show. Undefined if one changed too recently
 * for the file system's timestamps to show further changes.
 */
export function fingerprintOf(files: readonly string[], now: number): string | undefined {
  const fingerprints = files.map(fileFingerprint);
  const newest = Math.max(...fingerprints.map(({ changed }) => changed));
  return newest > now - settledMs ? undefined : fingerprints.map(({ text }) => text).join();
}

/** The stats of a file or folder that change whenever it is written, replaced or removed. */
function fileFingerprint(path: string): { readonly text: string; readonly changed: number } {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return { text: '', changed: 0 };
  return { text: `${stats.dev}:${stats.ino}:${stats.size}:${stats.ctimeNs}`, changed: Number(stats.ctimeMs) };
}
