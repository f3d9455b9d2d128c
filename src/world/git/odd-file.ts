import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runGroup } from '../process-group.ts';
import type { CheckoutFolder } from './git-directory.ts';
import { gitEnvironment } from './git-environment.ts';
import { bytesOf, joinPaths, shownPath, splitPaths } from './git-paths.ts';
import type { Shadow } from './shadow.ts';

/** What git opens by name in the folders that it goes through. */
const names = ['.gitignore', '.gitattributes', '.gitmodules'];
const maxBytes = 10 * 1024 * 1024;
/** How many are asked about; in folders that are ignored they do no harm. */
const maxAsked = 200;

export interface OddFile {
  /** As it is shown, below the checkout; in full where it is in the git directory. */
  readonly path: string;
  /** Such as `a named pipe`. */
  readonly what: string;
}

/** A file that git would open by its name and that is no plain file; undefined where there is none. */
export async function oddFile(shadow: Shadow, at: CheckoutFolder): Promise<OddFile | undefined> {
  const [inGit, inFiles] = await Promise.all([pipesIn([...new Set([at.gitDir, at.commonDir])]), oddNames(at.workTree)]);
  const [pipe] = inGit;
  if (pipe !== undefined) return { path: shownPath(pipe), what: 'a named pipe or a device' };
  const prefix = Buffer.from(`${at.workTree}/`).toString('latin1');
  const found = inFiles.map((path) => path.slice(prefix.length)).toSorted((a, b) => depth(a) - depth(b));
  const ignored: string[] = [];
  for (const path of found.slice(0, maxAsked)) {
    if (ignored.some((folder) => path.startsWith(`${folder}/`))) continue;
    const what = await oddity(bytesOf(at.workTree, path));
    const repository = repositoryOf(path);
    const folder = repository ?? dirname(path);
    const inner = repository === undefined ? folder : dirname(folder);
    if (what === undefined || (await isNested(at.workTree, inner))) continue;
    // Folders above this one hold none: git is not made to wait by being asked.
    if (folder !== '.' && (await isIgnored(shadow, folder))) ignored.push(folder);
    else return { path: shownPath(path), what };
  }
  return undefined;
}

/** The repository inside the checkout whose git directory a file is in; undefined where it is in none. */
function repositoryOf(path: string): string | undefined {
  const at = path.indexOf('/.git/');
  return at > 0 ? path.slice(0, at) : undefined;
}

/** What a file is that is to be a plain one; undefined where it is, also by way of a link, or is gone. */
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

/** Whether a folder is in a repository of its own, which git does not go into. */
async function isNested(workTree: string, folder: string): Promise<boolean> {
  for (let at = folder; at !== '.'; at = dirname(at)) {
    if ((await lstat(bytesOf(workTree, `${at}/.git`)).catch(() => undefined)) !== undefined) return true;
  }
  return false;
}

async function isIgnored(shadow: Shadow, folder: string): Promise<boolean> {
  const args = ['check-ignore', '--no-index', '-z', '--stdin'];
  // This command takes paths as they are, and knows no word for it.
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const { stdout } = await shadow.git(args, { env, input: joinPaths([`./${folder}`]), exitCodes: [0, 1] });
  return stdout.length > 0;
}

async function oddNames(workTree: string): Promise<string[]> {
  const named = names.flatMap((name, index) => [...(index === 0 ? [] : ['-o']), '-iname', name]);
  const isOdd = ['(', '!', '-type', 'f', '-o', '-size', `+${maxBytes / 512}`, ')'];
  const nestedPipe = ['-path', '*/.git/*', '-type', 'p'];
  return find([workTree, '(', '(', ...named, ')', ...isOdd, '-o', ...nestedPipe, ')', '-print0'], workTree);
}

/** Pipes and devices among the files of git directories, but for objects. */
async function pipesIn(folders: readonly string[]): Promise<string[]> {
  const special = ['(', '-type', 'p', '-o', '-type', 'c', '-o', '-type', 'b', ')'];
  return find([...folders, '-name', 'objects', '-prune', '-o', ...special, '-print0'], '/');
}

/** What `find` finds, in Latin-1. What it may not look into is left out. */
async function find(args: readonly string[], cwd: string): Promise<string[]> {
  const found: Buffer[] = [];
  const { PATH = '' } = gitEnvironment();
  await runGroup({
    file: 'find',
    args,
    cwd,
    env: { PATH, LC_ALL: 'C' },
    timeoutMs: 60_000,
    onStdout: (chunk) => found.push(chunk),
    onStderr: () => {},
  });
  return splitPaths(Buffer.concat(found));
}

function depth(path: string): number {
  return path.split('/').length;
}
