import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { fillIndex } from '#world/git/checkout/own-index.ts';
import { submoduleAt } from '#world/git/checkout/submodule-link.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { openShadow } from '#world/git/repository/shadow.ts';
import { listFiles } from '#world/git/snapshot/hidden-files.ts';
import { overPlainFiles } from '#world/git/snapshot/plain-lists.ts';
import { submodulePaths } from '#world/git/snapshot/snapshot.ts';

/** Paths of a checkout, with those of the submodules that are checked out in it. Latin-1; a folder ends in a slash. */
export interface CheckoutPaths {
  /** Ignored paths; of a folder that is ignored as a whole only the folder. */
  readonly ignored: readonly string[];
  /** Untracked nested repositories. */
  readonly repositories: readonly string[];
}

/**
 * The paths of a checkout that git stores nowhere.
 * @throws FAILED_PRECONDITION when a file cannot be read, or it takes longer than `limitMs`
 */
export async function unstoredPaths(at: CheckoutFolder, limitMs: number): Promise<CheckoutPaths> {
  const headSha = await readHeadSha(at);
  await using shadow = await openShadow(at, { headSha, index: 'shadow', objects: 'discard' });
  const look = async () => {
    await fillIndex(shadow, at, headSha, 'changed');
    const others = (await listFiles(shadow, ['--others'])).lines;
    return {
      ignored: (await listFiles(shadow, ['--others', '--ignored', '--directory'])).lines,
      repositories: others.filter((path) => path.endsWith('/')),
      submodules: await submodulePaths(shadow, at.workTree),
    };
  };
  const { ignored, repositories, submodules } = await overPlainFiles(shadow, at, look, limitMs);
  const found = { ignored: [...ignored], repositories: [...repositories] };
  for (const path of submodules) {
    const inner = await submoduleAt(at.workTree, path);
    if (inner === undefined) continue;
    if ((await readHeadSha(inner)) === undefined) found.repositories.push(`${path}/`);
    const within = await unstoredPaths(inner, limitMs);
    found.ignored.push(...within.ignored.map((name) => `${path}/${name}`));
    found.repositories.push(...within.repositories.map((name) => `${path}/${name}`));
  }
  return found;
}
