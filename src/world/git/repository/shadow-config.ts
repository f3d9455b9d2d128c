import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';
import { git } from './git.ts';
import type { GitDirectory } from './git-directory.ts';

/** What decides how files compare with objects. Everything else in a repository's configuration is left behind. */
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
  // A warning at best, and else files that nobody can store.
  'core.safecrlf': 'false',
  'core.commitGraph': 'false',
  // All that the system says about a file shows whether it changed, above all by the time that nobody can set.
  'core.trustctime': 'true',
  'core.checkStat': 'default',
  'core.ignoreStat': 'false',
  'index.version': '2',
  'index.sparse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'submodule.recurse': 'false',
  // To see whether a submodule is dirty git would run what the submodule's own configuration names.
  'diff.ignoreSubmodules': 'dirty',
};

/**
 * The text of a shadow's configuration: the allow-listed settings of the repository, then our own, which win.
 * `excludesFile` holds what the person never wants to see.
 */
export async function shadowConfig(
  at: GitDirectory,
  excludesFile: string,
  objects: 'keep' | 'discard',
): Promise<string> {
  const taken = new Map<string, string>();
  for (const file of [join(at.commonDir, 'config'), join(at.gitDir, 'config.worktree')]) {
    for (const [key, value] of await settings(file)) taken.set(key, value);
  }
  const ours = Object.entries({
    ...constants,
    // Of many objects that are written at a time the disk is asked once, before any bears its name.
    'core.fsync': objects === 'keep' ? 'objects,derived-metadata' : 'none',
    'core.fsyncMethod': 'batch',
    'core.excludesFile': `"${excludesFile.replace(/["\\]/g, '\\$&')}"`,
    // Not what the repository says of itself: a file would hide behind another one whose name differs in case.
    'core.ignorecase': String(at.workTree !== undefined && (await foldsCase(at.workTree))),
  });
  const lines = [...taken, ...ours].map(([key, value]) => {
    const [section, name] = key.split('.');
    return `[${section}]\n\t${name} = ${value}\n`;
  });
  return lines.join('');
}

/**
 * Whether a checkout's file system finds a name that is spelt in other case: then it does so though no such name is
 * listed.
 */
async function foldsCase(workTree: string): Promise<boolean> {
  const spelt = '.GIT';
  const found = await lstat(join(workTree, spelt)).catch(() => undefined);
  return found !== undefined && !(await readdir(workTree)).includes(spelt);
}

/** The allow-listed settings of one file, whose includes are not followed. Empty if it is absent or unreadable. */
async function settings(file: string): Promise<[key: string, value: string][]> {
  const text = await readRegularFile(file, { maxBytes: 4 * 1024 * 1024, followLinks: true });
  if (text === undefined) return [];
  const args = ['config', '--file', '-', '--no-includes', '--null', '--list'];
  const { stdout } = await git(args, { input: text.content, exitCodes: [0, 1, 128] });
  return stdout
    .toString('utf8')
    .split('\0')
    .map((entry): [string, string] => {
      const [key = '', value = 'true'] = entry.split('\n', 2);
      return [key.toLowerCase(), value];
    })
    .filter(([key, value]) => allowed.has(key) && /^[A-Za-z0-9]+$/.test(value));
}
