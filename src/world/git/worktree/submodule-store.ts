import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { copyTree, makeFolder } from '#world/file/copy-tree.ts';
import { openFolder } from '#world/file/open-folder.ts';
import { readRegularFile } from '#world/file/regular-file.ts';
import { type ConfigFile, readConfigFile } from '#world/git/repository/config-file.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { repositoryGit } from '#world/git/repository/repository.ts';
import { takenSettings } from '#world/git/repository/shadow-config.ts';

const maxBytes = 64 * 1024 * 1024;

/** A repository to be made from another one. */
interface SubmoduleStoreOptions {
  readonly source: GitDirectory;
  readonly headSha: string;
  /** The git directory to which the new one belongs, and its path below that. */
  readonly owner: string;
  readonly name: string;
  /** The folder that its files are in. */
  readonly workTree: string;
}

/**
 * Makes a separate repository with the objects, branches, tags and remotes of another one, at a commit. It is copied
 * without git, so nothing that the other one configures is run, and nothing is fetched. Objects are hard links where
 * possible. A repository that exists already stays as it is.
 * @returns its git directory
 * @throws FAILED_PRECONDITION when its place is not a regular folder
 */
export async function makeStore(order: SubmoduleStoreOptions): Promise<string> {
  const gitDir = join(order.owner, order.name);
  await makeFolder(order.owner, dirname(order.name));
  await using parent = await openFolder(dirname(gitDir));
  if (parent === undefined) throw new Failure('DIRECTORY_CHANGED', `${dirname(gitDir)} is not a regular folder`);
  const there = await lstat(gitDir).catch(() => undefined);
  if (there?.isDirectory()) return gitDir;
  const part = `${gitDir}.muster-part`;
  await rm(part, { recursive: true, force: true });
  await initialize(part, order);
  await rename(part, gitDir);
  return gitDir;
}

async function initialize(dir: string, { source, headSha, workTree }: SubmoduleStoreOptions): Promise<void> {
  for (const folder of ['', 'refs', 'objects', 'objects/info', 'info']) await mkdir(join(dir, folder));
  const skips = (name: string): boolean => name.startsWith('tmp_') || name.endsWith('.lock') || name === 'alternates';
  await copyTree({ from: source.commonDir, to: dir, linked: true, skips }, ['objects']);
  await writeFile(join(dir, 'objects/info/alternates'), await alternates(source));
  await writeFile(join(dir, 'packed-refs'), await references(source));
  for (const list of ['shallow', 'info/exclude', 'info/attributes']) {
    const file = await readRegularFile(join(source.commonDir, list), { maxBytes, followLinks: false });
    if (file !== undefined) await writeFile(join(dir, list), file.content);
  }
  await writeFile(join(dir, 'config'), await config(source, workTree));
  await writeFile(join(dir, 'HEAD'), `${headSha}\n`);
}

/** Where the repository borrows objects from, as full paths. */
async function alternates({ commonDir }: GitDirectory): Promise<string> {
  const objects = join(commonDir, 'objects');
  const file = await readRegularFile(join(objects, 'info/alternates'), { maxBytes, followLinks: false });
  const lines = (file?.content.toString('utf8') ?? '').split('\n').filter((line) => line !== '' && !/^[#"]/.test(line));
  return lines.map((line) => `${resolve(objects, line)}\n`).join('');
}

/** Branches, remote branches and tags, as git packs them. */
async function references(source: GitDirectory): Promise<string> {
  const format = '--format=%(if)%(symref)%(then)%(else)%(objectname) %(refname)%(end)';
  const { stdout } = await repositoryGit(source, ['for-each-ref', format, 'refs/heads', 'refs/remotes', 'refs/tags']);
  const lines = stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => `${line}\n`).join('');
}

/** The settings copied from named sections: git runs no program for any of them. */
const named: Readonly<Record<string, readonly string[]>> = {
  remote: ['url', 'pushurl', 'fetch', 'promisor', 'partialclonefilter'],
  submodule: ['url', 'active'],
};

/** The other one's configuration of how files compare, of remotes and of submodules, and nothing else of it. */
async function config(source: GitDirectory, workTree: string): Promise<string> {
  const file = await readConfigFile(join(source.commonDir, 'config'));
  const taken = [...(await takenSettings(source))].filter(([key]) => !key.startsWith('core.sparse'));
  for (const key of ['core.ignorecase', 'extensions.partialclone']) {
    for (const text of await file.values(key)) taken.push([key, text]);
  }
  const lines = ['[core]', '\trepositoryformatversion = 1', '\tbare = false', `\tworktree = ${value(workTree)}`];
  for (const [key, text] of taken) {
    const [section, name] = key.split('.');
    lines.push(`[${section}]`, `\t${name} = ${value(text)}`);
  }
  for (const [section, keys] of Object.entries(named)) {
    for (const name of file.subsections(section)) {
      lines.push(`[${section} ${value(name)}]`, ...(await valuesIn(file, `${section}.${name}`, keys)));
    }
  }
  return `${lines.join('\n')}\n`;
}

async function valuesIn(file: ConfigFile, section: string, keys: readonly string[]): Promise<string[]> {
  const all = keys.map(async (key) =>
    (await file.values(`${section}.${key}`)).map((text) => `\t${key} = ${value(text)}`),
  );
  return (await Promise.all(all)).flat();
}

/** A value quoted as git reads it back. */
function value(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** The place of a submodule's repository below its owner: where git itself keeps it, else named after its path. */
export function storeName(source: GitDirectory, outer: GitDirectory, path: string): string {
  const below = [outer.gitDir, outer.commonDir].map((dir) => relative(join(dir, 'modules'), source.commonDir));
  const kept = below.find((name) => name !== '' && !name.startsWith('..'));
  return join('modules', kept ?? path);
}
