import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';
import { git } from './git.ts';
import type { GitDirectory } from './git-directory.ts';

/** The settings that decide how files compare with objects. All others of a repository's configuration are dropped. */
const allowed: ReadonlySet<string> = new Set([
  'core.filemode',
  'core.symlinks',
  'core.precomposeunicode',
  'core.autocrlf',
  'core.eol',
  'core.bigfilethreshold',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
  'core.protecthfs',
  'core.protectntfs',
  'extensions.objectformat',
]);

const constants: Readonly<Record<string, string>> = {
  'core.repositoryformatversion': '1',
  'core.bare': 'false',
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.untrackedCache': 'false',
  'core.splitIndex': 'false',
  'core.attributesFile': '/dev/null',
  // It would only warn, or prevent files from being stored.
  'core.safecrlf': 'false',
  'core.commitGraph': 'false',
  // All stat data counts as a sign of change, above all ctime, which nobody can set.
  'core.trustctime': 'true',
  'core.checkStat': 'default',
  'core.ignoreStat': 'false',
  'index.version': '2',
  'index.sparse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'submodule.recurse': 'false',
  // Otherwise git would run what the submodule's own configuration names, to check whether it is dirty.
  'diff.ignoreSubmodules': 'dirty',
};

/**
 * The text of a shadow's configuration: the allow-listed settings of the repository, then muster's own, which override
 * them. `excludesFile` contains the person's own ignore list.
 */
export async function shadowConfig(
  at: GitDirectory,
  excludesFile: string,
  objects: 'keep' | 'discard',
): Promise<string> {
  const taken = await takenSettings(at);
  const ours = Object.entries({
    ...constants,
    // Git syncs many objects in one batch, before any gets its name.
    'core.fsync': objects === 'keep' ? 'objects,derived-metadata' : 'none',
    'core.fsyncMethod': 'batch',
    'core.excludesFile': `"${excludesFile.replace(/["\\]/g, '\\$&')}"`,
    // Measured, not taken from the repository: otherwise a file could hide behind one whose name differs in case.
    'core.ignorecase': String(at.workTree !== undefined && (await foldsCase(at.workTree))),
  });
  const lines = [...taken, ...ours].map(([key, value]) => {
    const [section, name] = key.split('.');
    return `[${section}]\n\t${name} = ${value}\n`;
  });
  return lines.join('');
}

type Setting = readonly [key: string, value: string];

/** How many texts' settings are remembered. */
const maxReadBefore = 64;
/** The settings of texts that git has read, by their hashes, the last used at the end: they depend on nothing else. */
const readBefore = new Map<string, readonly Setting[]>();

/** The repository's allow-listed settings. */
export async function takenSettings(at: GitDirectory): Promise<Map<string, string>> {
  const taken = new Map<string, string>();
  for (const file of [join(at.commonDir, 'config'), join(at.gitDir, 'config.worktree')]) {
    for (const [key, value] of await settings(file)) taken.set(key, value);
  }
  return taken;
}

/** Whether a checkout's file system ignores case: it then finds a name in another case that is not listed. */
async function foldsCase(workTree: string): Promise<boolean> {
  const spelt = '.GIT';
  const found = await lstat(join(workTree, spelt)).catch(() => undefined);
  return found !== undefined && !(await readdir(workTree)).includes(spelt);
}

/** The allow-listed settings of one file, without its includes. Empty if it is missing or unreadable. */
async function settings(file: string): Promise<readonly Setting[]> {
  const text = await readRegularFile(file, { maxBytes: 4 * 1024 * 1024, followLinks: true });
  if (text === undefined) return [];
  const hash = createHash('sha256').update(text.content).digest('base64');
  const read = readBefore.get(hash) ?? (await readByGit(text.content));
  readBefore.delete(hash);
  readBefore.set(hash, read);
  const [oldest] = readBefore.keys();
  if (oldest !== undefined && readBefore.size > maxReadBefore) readBefore.delete(oldest);
  return read;
}

async function readByGit(content: Buffer): Promise<readonly Setting[]> {
  const args = ['config', '--file', '-', '--no-includes', '--null', '--list'];
  const { stdout } = await git(args, { input: content, exitCodes: [0, 1, 128] });
  return stdout
    .toString('utf8')
    .split('\0')
    .map((entry): Setting => {
      const [key = '', value = 'true'] = entry.split('\n', 2);
      return [key.toLowerCase(), value];
    })
    .filter(([key, value]) => allowed.has(key) && /^[A-Za-z0-9]+$/.test(value));
}
