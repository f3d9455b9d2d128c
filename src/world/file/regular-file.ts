import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

export interface RegularFile {
  readonly content: Buffer;
  readonly stats: Stats;
}

/**
 * Reads an untrusted file. Undefined if it is missing, is not a regular file (a pipe would block
 * forever) or is larger than `maxBytes`. With `followLinks` false, a symbolic link is not a regular file.
 */
export async function readRegularFile(
  path: string | Buffer,
  options: { maxBytes: number; followLinks: boolean },
): Promise<RegularFile | undefined> {
  const noFollow = options.followLinks ? 0 : constants.O_NOFOLLOW;
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > options.maxBytes) return undefined;
    return { content: await file.readFile(), stats };
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}
