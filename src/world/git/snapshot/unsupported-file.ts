import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { cancelSignal } from '#world/concurrency/cancellation.ts';
import { isNested } from '#world/git/checkout/submodule-link.ts';
import { type CheckoutFolder, readLine } from '#world/git/repository/git-directory.ts';
import { bytesOf, joinPaths, shownPath } from '#world/git/repository/git-paths.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { findFiles, pathsBelow } from './find-files.ts';

/** The files that git opens in a nested repository that it finds, to see what it is and its commit. */
const opened = ['HEAD', 'commondir', 'packed-refs', 'config', 'config.worktree'];
/** How many symbolic references are followed in a row. */
const maxHops = 5;
/** The files that git opens by name in each folder that it visits. */
const names = ['.gitignore', '.gitattributes', '.gitmodules'];
const unending = 'a named pipe or a device';
const maxBytes = 10 * 1024 * 1024;
/** How many folders git is asked about: such files are harmless in ignored folders. */
const maxAsked = 200;

export interface UnsupportedFile {
  /** As shown to people: relative to the checkout, or a full path if it is in the git directory. */
  readonly path: string;
  /** For example `a named pipe`. */
  readonly what: string;
}

/** A file that git would open by its name and that is not a regular file; undefined if there is none. */
export async function unsupportedFile(shadow: Shadow, at: CheckoutFolder): Promise<UnsupportedFile | undefined> {
  const [inGit, inFiles] = await Promise.all([pipesIn([...new Set([at.gitDir, at.commonDir])]), oddNames(at.workTree)]);
  const [pipe] = inGit;
  if (pipe !== undefined) return { path: shownPath(pipe), what: unending };
  const below = pathsBelow(at.workTree, inFiles).filter((path) => path !== '.git');
  const found = below.toSorted((a, b) => depth(a) - depth(b));
  const ignored: string[] = [];
  let asked = 0;
  for (const path of found) {
    if (asked >= maxAsked || cancelSignal()?.aborted) break;
    if (ignored.some((folder) => path.startsWith(`${folder}/`))) continue;
    const isRepository = basename(path).toLowerCase() === '.git';
    const blocking = isRepository ? await blockingFile(bytesOf(at.workTree, path).toString('utf8')) : undefined;
    if (isRepository && blocking === undefined) continue;
    asked += 1;
    const what = isRepository
      ? `a repository in which ${blocking} is ${unending}`
      : await oddity(bytesOf(at.workTree, path));
    const repository = isRepository ? dirname(path) : repositoryOf(path);
    const folder = repository ?? dirname(path);
    const inner = repository === undefined ? folder : dirname(folder);
    if (what === undefined || (await isNested(at.workTree, inner))) continue;
    // Folders above this one contain no such file, so git does not hang when it is asked.
    if (folder !== '.' && (await isIgnored(shadow, folder))) ignored.push(folder);
    else return { path: shownPath(path), what };
  }
  return undefined;
}

/** A file that git would never finish reading in the repository that `.git` is or leads to; undefined if none. */
async function blockingFile(dotGit: string): Promise<string | undefined> {
  const line = await readLine(dotGit);
  const gitDir = line?.startsWith('gitdir: ') ? resolve(dirname(dotGit), line.slice('gitdir: '.length)) : dotGit;
  const common = await readLine(join(gitDir, 'commondir'));
  const folders = common === undefined ? [gitDir] : [gitDir, resolve(gitDir, common)];
  let files = folders.flatMap((folder) => opened.map((name) => join(folder, name)));
  let from = [join(gitDir, 'HEAD')];
  for (let hop = 0; hop < maxHops; hop += 1) {
    const found = await Promise.all(files.map((file) => isPipeOrDevice(file)));
    const at = found.indexOf(true);
    if (at >= 0) return files[at];
    const lines = await Promise.all(from.map(readLine));
    const refs = lines.flatMap((text) => (text?.startsWith('ref: ') ? [text.slice('ref: '.length)] : []));
    if (refs.length === 0) return undefined;
    from = refs.flatMap((ref) => folders.map((folder) => join(folder, ref)));
    files = from;
  }
  return undefined;
}

/** Whether a file, or what a link leads to, is a pipe or a device. */
async function isPipeOrDevice(path: string | Buffer): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && (stats.isFIFO() || stats.isCharacterDevice() || stats.isBlockDevice());
}

/** The nested repository whose git directory a file is in; undefined if it is in none. */
function repositoryOf(path: string): string | undefined {
  const at = path.indexOf('/.git/');
  return at > 0 ? path.slice(0, at) : undefined;
}

/** What a file is if not a regular one; undefined if it is regular, even through a link, or gone. */
async function oddity(path: Buffer): Promise<string | undefined> {
  const own = await lstat(path).catch(() => undefined);
  const found = own?.isSymbolicLink() ? await stat(path).catch(() => undefined) : own;
  const link = own?.isSymbolicLink() ? 'a link to ' : '';
  if (found === undefined) return undefined;
  if (found.isFIFO()) return `${link}a named pipe`;
  if (found.isSocket()) return `${link}a socket`;
  if (found.isDirectory()) return `${link}a folder`;
  if (!found.isFile()) return `${link}a device`;
  return found.size > maxBytes ? `${link}a file of more than ${maxBytes / 1024 / 1024} MiB` : undefined;
}

async function isIgnored(shadow: Shadow, folder: string): Promise<boolean> {
  const args = ['check-ignore', '--no-index', '-z', '--stdin'];
  // This command always takes paths literally, and fails if the variable asks for that.
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const { stdout } = await shadow.git(args, { env, input: joinPaths([`./${folder}`]), exitCodes: [0, 1] });
  return stdout.length > 0;
}

async function oddNames(workTree: string): Promise<string[]> {
  const named = names.flatMap((name, index) => [...(index === 0 ? [] : ['-o']), '-iname', name]);
  const isOdd = ['(', '!', '-type', 'f', '-o', '-size', `+${maxBytes / 512}`, ')'];
  const nestedPipe = ['-path', '*/.git/*', '-type', 'p'];
  const odd = ['(', '(', ...named, ')', ...isOdd, '-o', ...nestedPipe, '-o', '-iname', '.git', ')'];
  return findFiles([workTree, ...odd, '-print0'], workTree);
}

/** Pipes and devices, and links to them, in git directories; objects are not searched. */
async function pipesIn(folders: readonly string[]): Promise<string[]> {
  const special = [
    '(',
    ...['p', 'c', 'b', 'l'].flatMap((type, index) => [...(index ? ['-o'] : []), '-type', type]),
    ')',
  ];
  const found = await findFiles([...folders, '-name', 'objects', '-prune', '-o', ...special, '-print0'], '/');
  const are = await Promise.all(found.map((path) => isPipeOrDevice(Buffer.from(path, 'latin1'))));
  return found.filter((_, index) => are[index]);
}

function depth(path: string): number {
  return path.split('/').length;
}
