import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';

/** The directories of a checkout. All paths are absolute and without symbolic links. */
export interface GitDirectory {
  /** The root of the checked-out files; undefined in a bare repository. */
  readonly workTree: string | undefined;
  /** The directory of this checkout's own files: HEAD, the index, a merge in progress. */
  readonly gitDir: string;
  /**
   * The directory that all checkouts of the repository share: objects, branches, configuration. Equals `gitDir` in the
   * main checkout.
   */
  readonly commonDir: string;
}

/** A checkout with its files. */
export interface CheckoutFolder extends GitDirectory {
  readonly workTree: string;
}

/** Finds the repository that contains a folder, by reading files as git does. Undefined if there is none. */
export async function findGitDirectory(dir: string): Promise<GitDirectory | undefined> {
  const start = await realpath(dir).catch(() => undefined);
  if (start === undefined) return undefined;
  for (let at = start; ; at = dirname(at)) {
    const gitDir = await dotGit(at);
    if (gitDir !== undefined) return describe(gitDir, at);
    if (await isGitDir(at)) return describe(at, undefined);
    if (at === dirname(at)) return undefined;
  }
}

/** Reads a one-line file of a repository, without the line end. Undefined if it is missing. */
export async function readLine(path: string): Promise<string | undefined> {
  const file = await readRegularFile(path, { maxBytes: 64 * 1024, followLinks: true });
  return file?.content.toString('utf8').replace(/\r?\n$/, '');
}

/** The git directory that `<folder>/.git` is or points to; undefined if there is none. */
async function dotGit(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git');
  if (await isGitDir(path)) return path;
  const line = await readLine(path);
  if (line?.startsWith('gitdir: ') !== true) return undefined;
  const target = resolve(folder, line.slice('gitdir: '.length));
  return (await isGitDir(target)) ? target : undefined;
}

async function describe(gitDir: string, workTree: string | undefined): Promise<GitDirectory | undefined> {
  const common = await readLine(join(gitDir, 'commondir'));
  const commonDir = await realpath(common === undefined ? gitDir : resolve(gitDir, common)).catch(() => undefined);
  if (commonDir === undefined) return undefined;
  return { workTree, gitDir: await realpath(gitDir), commonDir };
}

/** Whether a folder has a HEAD, and its own objects or a pointer to a common directory. */
async function isGitDir(path: string): Promise<boolean> {
  if ((await readLine(join(path, 'HEAD'))) === undefined) return false;
  if ((await readLine(join(path, 'commondir'))) !== undefined) return true;
  const objects = await stat(join(path, 'objects')).catch(() => undefined);
  const refs = await stat(join(path, 'refs')).catch(() => undefined);
  return objects?.isDirectory() === true && refs?.isDirectory() === true;
}
