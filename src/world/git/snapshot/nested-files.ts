import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { entryLines, indexedFiles } from '#world/git/checkout/checkout-index.ts';
import { linkMode, submoduleAt } from '#world/git/checkout/submodule-link.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { bytesOf, joinPaths, splitPaths } from '#world/git/repository/git-paths.ts';
import { IndexEntries } from '#world/git/repository/index-entries.ts';
import type { Shadow } from '#world/git/repository/shadow.ts';
import { requireWhole, snapshotTree, submodulePaths } from './snapshot.ts';

/**
 * Git repositories inside a checkout, whose files do not belong to it: submodules that are checked out, and embedded
 * ones. Their paths are in Latin-1.
 */
export async function nestedRepositories(shadow: Shadow, workTree: string): Promise<string[]> {
  const links = await submodulePaths(shadow, workTree);
  const there = await Promise.all(links.map((path) => stat(bytesOf(workTree, `${path}/.git`)).catch(() => undefined)));
  const others = splitPaths((await shadow.git(['ls-files', '--others', '--exclude-standard', '-z'])).stdout);
  const embedded = others.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  return [...links.filter((_, index) => there[index] !== undefined), ...embedded];
}

/**
 * Adds the files of nested repositories to the shadow's index, in place of the links to their commits, and writes its
 * tree. The index must hold a snapshot already.
 * @throws FAILED_PRECONDITION when one of them cannot be stored
 */
export async function withNestedFiles(shadow: Shadow, workTree: string): Promise<string> {
  for (const path of await nestedRepositories(shadow, workTree)) {
    const full = bytesOf(workTree, path);
    const innerTree = full.toString('utf8');
    if (!full.equals(Buffer.from(innerTree))) {
      throw new Failure('REPOSITORY_UNREADABLE', `the name of the repository ${innerTree} is not UTF-8: rename it`);
    }
    const inner = within(shadow, innerTree);
    await followIndex(inner, await submoduleAt(workTree, path));
    requireWhole(await snapshotTree(inner, innerTree, new Map()));
    const tree = await withNestedFiles(inner, innerTree);
    const { stdout } = await shadow.git(['ls-tree', '-r', '-z', '--full-tree', tree]);
    const entries = splitPaths(stdout).map((line) => line.replace('\t', `\t${path}/`));
    await shadow.git(['update-index', '--force-remove', '-z', '--stdin'], { input: joinPaths([path]) });
    await shadow.git(['update-index', '-z', '--index-info'], { input: joinPaths(entries) });
  }
  return (await shadow.git(['write-tree'])).stdout.toString('utf8').trim();
}

/** Fills an empty index with the paths of the repository's own one, because an ignored file may still be tracked. */
async function followIndex(inner: Shadow, at: GitDirectory | undefined): Promise<void> {
  const named = at === undefined ? [] : ((await indexedFiles(inner, at)) ?? []);
  const files = named.filter(({ mode }) => mode !== linkMode);
  if (files.length > 0) await inner.git(['update-index', '-z', '--index-info'], { input: entryLines(files) });
}

/** The same shadow for another folder, with an empty index. */
function within(shadow: Shadow, workTree: string): Shadow {
  const view = { GIT_WORK_TREE: workTree, GIT_INDEX_FILE: join(shadow.dir, `index-${randomUUID()}`) };
  const own = new IndexEntries((args, options = {}) =>
    shadow.git(args, { cwd: workTree, ...options, env: { ...view, ...options.env } }),
  );
  return { dir: shadow.dir, git: own.git, entries: own.entries, [Symbol.asyncDispose]: async () => {} };
}
