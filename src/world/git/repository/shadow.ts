import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';
import { makeScratch } from '#world/process/scratch.ts';
import { git } from './git.ts';
import type { GitDirectory } from './git-directory.ts';
import { IndexEntries, type IndexGit } from './index-entries.ts';
import { personalExcludes } from './personal-config.ts';
import { shadowConfig } from './shadow-config.ts';

/**
 * muster's own git directory for a checkout: it uses the checkout's files and objects, but has its own index and
 * configuration. So nothing that the repository configures (hooks, filters, drivers) is run, and the checkout's index
 * is neither trusted nor written.
 */
export interface Shadow extends AsyncDisposable {
  /** The shadow's own folder, for files that are removed with it. */
  readonly dir: string;
  /** Runs git on the checkout's files. */
  readonly git: IndexGit;
  /** The entries of its index, as `ls-files --stage` lists them, in Latin-1. */
  entries(): Promise<readonly string[]>;
}

export interface ShadowOptions {
  /** The checked-out commit; undefined on a branch without commits. */
  readonly headSha: string | undefined;
  /**
   * Which index to use: the shadow's, initially empty; the checkout's, for a new, unused worktree; or none,
   * for commands that only read objects. With none, the repository's attributes do not apply, so that none can hide a
   * change or decide a merge. With the shadow's index, attributes change only line ends of stored files, because they
   * may change at any time; muster handles the others itself (`settleTransformed`).
   */
  readonly index: 'shadow' | 'checkout' | 'none';
  /** Whether new objects are stored in the repository, or discarded with the shadow. */
  readonly objects: 'keep' | 'discard';
  /** Shadows whose temporary objects can be read too. */
  readonly borrow?: readonly Shadow[];
}

/** The attribute list that overrides those of the checkout, relative to a shadow's folder. */
export const winningAttributes = 'info/attributes';
/** A copy of the repository's own attribute list, relative to the folder of a shadow with its own index. */
export const ownAttributes = 'own-attributes';
/** Attributes that let git store files unchanged, except for line ends. */
export const plainAttributes = '* -ident -working-tree-encoding -filter';

/** Creates a shadow of a checkout in a temporary folder. The caller disposes of it. */
export async function openShadow(at: GitDirectory, options: ShadowOptions): Promise<Shadow> {
  const dir = await makeScratch();
  const dispose = (): Promise<void> => rm(dir, { recursive: true, force: true });
  try {
    await initialize(dir, at, options);
    const index = options.index === 'checkout' ? join(at.gitDir, 'index') : join(dir, 'index');
    const env = { ...environment(dir, at, options), GIT_INDEX_FILE: index };
    const own = new IndexEntries((args, given = {}) =>
      git(args, { cwd: at.workTree ?? dir, ...given, env: { ...env, ...given.env } }),
    );
    return { dir, git: own.git, entries: own.entries, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function environment(dir: string, at: GitDirectory, options: ShadowOptions): Record<string, string> {
  const objects = join(at.commonDir, 'objects');
  const borrowed = (options.borrow ?? []).map((shadow) => quoted(join(shadow.dir, 'objects')));
  return {
    GIT_DIR: dir,
    ...(at.workTree === undefined ? {} : { GIT_WORK_TREE: at.workTree }),
    ...(options.objects === 'keep'
      ? { GIT_OBJECT_DIRECTORY: objects }
      : {
          GIT_OBJECT_DIRECTORY: join(dir, 'objects'),
          GIT_ALTERNATE_OBJECT_DIRECTORIES: [quoted(objects), ...borrowed].join(':'),
        }),
  };
}

/** Quotes a path for the list of alternates, which colons separate. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

async function initialize(dir: string, at: GitDirectory, { headSha, index, objects }: ShadowOptions): Promise<void> {
  await mkdir(join(dir, 'objects'));
  await mkdir(join(dir, 'refs'));
  await mkdir(join(dir, 'info'));
  await writeFile(join(dir, 'HEAD'), headSha === undefined ? 'ref: refs/heads/none\n' : `${headSha}\n`);
  await writeFile(join(dir, 'config'), await shadowConfig(at, join(dir, 'excludes'), objects));
  await takeOver(join(at.commonDir, 'shallow'), join(dir, 'shallow'));
  if (index === 'none') return;
  await writeFile(join(dir, 'excludes'), await personalExcludes());
  await takeOver(join(at.commonDir, 'info/exclude'), join(dir, 'info/exclude'));
  const ours = join(dir, index === 'shadow' ? ownAttributes : winningAttributes);
  await writeFile(ours, '');
  await takeOver(join(at.commonDir, 'info/attributes'), ours);
  if (index === 'shadow') {
    await writeFile(
      join(dir, winningAttributes),
      Buffer.concat([await readFile(ours), Buffer.from(`\n${plainAttributes}\n`)]),
    );
  }
  await takeOver(join(at.gitDir, 'info/sparse-checkout'), join(dir, 'info/sparse-checkout'));
}

/** Copies one of the repository's lists, if it exists. These lists cannot name programs. */
async function takeOver(from: string, to: string): Promise<void> {
  const file = await readRegularFile(from, { maxBytes: 16 * 1024 * 1024, followLinks: true });
  if (file !== undefined) await writeFile(to, file.content);
}
