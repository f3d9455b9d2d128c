import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '#contract/failure.ts';

/** A file that matches a pattern, and the captures of the pattern's wildcards in its path. */
export interface MatchedFile {
  readonly path: string;
  readonly names: readonly string[];
  readonly bytes: number;
}

/** Maximum number of files that one pattern may match. */
const maxMatches = 5_000;

/**
 * The regular files below a folder that match a pattern. Links are not followed.
 * @param parts the pattern's parts: names, names with `*`, or `**` as the last part for all files below
 * @param capturesOf returns the captures of a part's wildcards in a name; undefined if it does not match
 */
export async function matchingFiles(
  root: string,
  parts: readonly string[],
  capturesOf: (part: string, name: string) => readonly string[] | undefined,
): Promise<readonly MatchedFile[]> {
  const found: MatchedFile[] = [];
  const walk = async (folder: string, left: readonly string[], names: readonly string[]): Promise<void> => {
    const [part = '', ...rest] = left;
    const isDeep = part === '**';
    for (const name of (await readdir(folder).catch(() => [])).toSorted()) {
      const captured = isDeep ? capturesOf('*', name) : capturesOf(part, name);
      if (captured === undefined) continue;
      const path = join(folder, name);
      const stats = await lstat(path).catch(() => undefined);
      const all = [...names, ...captured];
      if (stats?.isDirectory() && (isDeep || rest.length > 0)) await walk(path, isDeep ? left : rest, all);
      else if (stats?.isFile() && (isDeep || rest.length === 0)) found.push({ path, names: all, bytes: stats.size });
      if (found.length > maxMatches) {
        throw new Failure('TOO_MANY_FILES', `its conversation has more than ${maxMatches} files in ${root}`);
      }
    }
  };
  await walk(root, parts, []);
  return found;
}

/**
 * Writes a file of a conversation below a folder, through no link. A file that is there already is replaced only if the
 * new one continues it, so that no other conversation is overwritten.
 * @param parts the file's path relative to the folder
 * @throws FAILED_PRECONDITION when a folder of the path is a link, or another file is there
 */
export async function writeConversationFile(
  root: string,
  parts: readonly string[],
  content: AsyncIterable<Buffer>,
): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  let folder = await realpath(root);
  for (const part of parts.slice(0, -1)) {
    folder = join(folder, part);
    await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
    if (!(await lstat(folder)).isDirectory()) throw occupied(folder, 'is not a folder');
  }
  const path = join(folder, parts.at(-1) ?? '');
  const draft = join(dirname(path), `.${parts.at(-1) ?? ''}.muster-part`);
  await rm(draft, { force: true });
  const file = await open(
    draft,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    for await (const chunk of content) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    if (!(await continues(draft, path))) throw occupied(path, 'is another conversation');
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Whether a file begins with the whole content of another one, or there is no other one. */
async function continues(longer: string, shorter: string): Promise<boolean> {
  const stats = await lstat(shorter).catch(() => undefined);
  if (stats === undefined) return true;
  if (!stats.isFile()) return false;
  const [a, b] = [await open(shorter, constants.O_RDONLY | constants.O_NOFOLLOW), await open(longer, 'r')];
  try {
    for (let at = 0; at < stats.size; ) {
      const bytes = Math.min(256 * 1024, stats.size - at);
      const [known, now] = await Promise.all([a, b].map((one) => one.read(Buffer.alloc(bytes), 0, bytes, at)));
      if (known === undefined || now === undefined || now.bytesRead < known.bytesRead || known.bytesRead === 0)
        return false;
      if (!known.buffer.subarray(0, known.bytesRead).equals(now.buffer.subarray(0, known.bytesRead))) return false;
      at += known.bytesRead;
    }
    return true;
  } finally {
    await a.close();
    await b.close();
  }
}

function occupied(path: string, why: string): Failure {
  return new Failure('PACKAGE_REFUSED', `its conversation cannot be written: ${path} ${why}`);
}

/** Replaces a text in a stream of bytes, also where it is split between two of them. */
export async function* replacedIn(content: AsyncIterable<Buffer>, text: string, by: string): AsyncGenerator<Buffer> {
  const [needle, replacement] = [Buffer.from(text), Buffer.from(by)];
  let rest = Buffer.alloc(0);
  for await (const chunk of content) {
    let buffer = Buffer.concat([rest, chunk]);
    for (let at = buffer.indexOf(needle); at >= 0; at = buffer.indexOf(needle)) {
      yield buffer.subarray(0, at);
      yield replacement;
      buffer = buffer.subarray(at + needle.length);
    }
    const kept = Math.min(buffer.length, needle.length - 1);
    yield buffer.subarray(0, buffer.length - kept);
    rest = Buffer.from(buffer.subarray(buffer.length - kept));
  }
  yield rest;
}
