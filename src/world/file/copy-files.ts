import { constants } from 'node:fs';
import { glob, link, lstat, mkdir, open, realpath, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { cancelSignal } from '#world/concurrency/cancellation.ts';
import { readRegularFile } from './regular-file.ts';

/** Larger files are skipped, because only settings and secrets should be copied, not data. In bytes. */
const maxBytes = 1024 * 1024;
/** The maximum number of matching files and folders, for the same reason. */
const maxMatches = 1_000;

/**
 * Copies the regular files under `from` that match the globs (as in a shell, `*` does not match hidden files) to the
 * same paths under `to`, with their modes, and returns their relative paths, sorted. Skips symbolic links, `.git` and
 * files over 1 MiB. Overwrites nothing: an existing file counts as copied if its content is the same, so that an
 * interrupted copy can be repeated.
 * @throws INVALID_ARGUMENT when a pattern leaves the folder, FAILED_PRECONDITION when more than 1,000 files and folders
 *   match
 */
export async function copyFiles(copy: {
  readonly from: string;
  readonly to: string;
  readonly patterns: readonly string[];
}): Promise<string[]> {
  for (const pattern of copy.patterns) refuseEscape(pattern);
  const from = await realpath(copy.from);
  const to = await realpath(copy.to);
  const copied: string[] = [];
  for (const path of await matches(from, copy.patterns)) {
    cancelSignal()?.throwIfAborted();
    if (await copyOne(from, to, path)) copied.push(path);
  }
  return copied;
}

/** The files that `copyFiles` would copy by these patterns; none if there are too many. */
export async function copyable(from: string, patterns: readonly string[]): Promise<string[]> {
  return matches(from, patterns).catch(() => []);
}

/** The copied files that still equal their originals. */
export async function unchangedCopies(copy: {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
}): Promise<string[]> {
  const unchanged: string[] = [];
  for (const path of copy.paths) {
    const [original, made] = await Promise.all(
      [copy.from, copy.to].map((root) => readRegularFile(join(root, path), { maxBytes, followLinks: false })),
    );
    if (original !== undefined && made?.content.equals(original.content)) unchanged.push(path);
  }
  return unchanged;
}

function refuseEscape(pattern: string): void {
  const leaves = pattern.startsWith('/') || pattern.startsWith('~') || /(^|[/{,])\.\.([/},]|$)/.test(pattern);
  if (pattern.trim() === '' || pattern.includes('\0') || leaves) {
    throw new Failure(
      'INVALID_FIELD',
      `the pattern "${pattern}" must name files inside the repository: write it relative to the repository's root, without ".."`,
      { field: 'copyFiles' },
    );
  }
}

async function matches(from: string, patterns: readonly string[]): Promise<string[]> {
  const paths = new Set<string>();
  // Called for every file and folder, even if nothing matches.
  const exclude = (path: string): boolean => cancelSignal()?.aborted === true || path.split(sep).at(-1) === '.git';
  for await (const path of glob([...patterns], { cwd: from, exclude })) {
    const inside = relative(from, resolve(from, path));
    const segments = inside.split(sep);
    if (inside !== '' && segments[0] !== '..' && !segments.includes('.git')) paths.add(inside);
    if (paths.size > maxMatches) throw tooMany(patterns);
  }
  cancelSignal()?.throwIfAborted();
  return [...paths].sort();
}

function tooMany(patterns: readonly string[]): Failure {
  return new Failure(
    'TOO_MANY_FILES',
    `more than ${maxMatches} files match ${patterns.join(' ')}: copy settings this way, and create what is installed or built ` +
      'with the setup script',
  );
}

async function copyOne(from: string, to: string, path: string): Promise<boolean> {
  const source = join(from, path);
  if (!(await isWithoutLinks(from, dirname(path)))) return false;
  const file = await readRegularFile(source, { maxBytes, followLinks: false });
  if (file === undefined) return false;
  const target = join(to, path);
  if (!(await makeFolder(to, dirname(path)))) return false;
  return writeNew(target, file.content, file.stats.mode & 0o777);
}

/** Whether no folder of the path is a link, so that it cannot lead out of the root. */
async function isWithoutLinks(root: string, folder: string): Promise<boolean> {
  let at = root;
  for (const segment of folder.split(sep)) {
    if (segment === '.') continue;
    at = join(at, segment);
    const stats = await lstat(at).catch(() => undefined);
    if (stats === undefined || !stats.isDirectory()) return false;
  }
  return true;
}

async function makeFolder(root: string, folder: string): Promise<boolean> {
  let at = root;
  for (const segment of folder.split(sep)) {
    if (segment === '.') continue;
    at = join(at, segment);
    await mkdir(at).catch(() => undefined);
    if (!(await isWithoutLinks(root, relative(root, at)))) return false;
  }
  return true;
}

/** Writes a new file, never over an existing one. Returns whether the target has the content afterwards. */
async function writeNew(target: string, content: Buffer, mode: number): Promise<boolean> {
  const part = `${target}.muster-part`;
  await rm(part, { force: true });
  const file = await open(part, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await file.writeFile(content);
    await file.chmod(mode);
    // A link is created atomically, and never replaces anything.
    await link(part, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const there = await readRegularFile(target, { maxBytes, followLinks: false });
    return there?.content.equals(content) ?? false;
  } finally {
    await file.close();
    await rm(part, { force: true });
  }
}
