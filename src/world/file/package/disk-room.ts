import { statfs } from 'node:fs/promises';
import { Failure } from '#contract/failure.ts';

/** The space to keep free on the disk, in bytes. */
const spareBytes = 256 * 1024 ** 2;

/**
 * Refuses what would fill the disk of a folder, and leaves some space free.
 * @param what what takes the bytes, such as `its files`
 * @throws DISK_FULL
 */
export async function requireDiskRoom(folder: string, bytes: number, what: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bytes + spareBytes <= bavail * bsize) return;
  const [size, free] = [bytes, bavail * bsize].map((count) => `${(count / 1024 ** 2).toFixed(0)} MiB`);
  throw new Failure('DISK_FULL', `${what} have ${size}, and ${folder} has ${free} free: make room`);
}
