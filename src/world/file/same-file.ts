import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';

const chunkBytes = 1024 * 1024;

/**
 * Whether two paths are regular files with the same bytes, or symbolic links with the same target. Follows no links.
 */
export async function isSameFile(one: Buffer, other: Buffer): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => lstat(path).catch(() => undefined)));
  if (first?.isSymbolicLink() && second?.isSymbolicLink()) return isSameLink(one, other);
  if (!first?.isFile() || !second?.isFile() || first.size !== second.size) return false;
  await using file = await opened(one);
  await using copy = await opened(other);
  return file !== undefined && copy !== undefined && (await haveSameContent(file, copy));
}

async function isSameLink(one: Buffer, other: Buffer): Promise<boolean> {
  const [text, copy] = await Promise.all(
    [one, other].map((path) => readlink(path, { encoding: 'buffer' }).catch(() => undefined)),
  );
  return text !== undefined && copy !== undefined && text.equals(copy);
}

async function opened(path: Buffer): Promise<FileHandle | undefined> {
  return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(() => undefined);
}

async function haveSameContent(one: FileHandle, other: FileHandle): Promise<boolean> {
  const chunk = async (file: FileHandle): Promise<Buffer> => {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(chunkBytes) });
    return buffer.subarray(0, bytesRead);
  };
  for (;;) {
    const [first, second] = [await chunk(one), await chunk(other)];
    if (!first.equals(second)) return false;
    if (first.length === 0) return true;
  }
}
