import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { makeFolder } from '#world/file/copy-tree.ts';
import { openFolder } from '#world/file/open-folder.ts';
import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { submoduleAt } from '#world/git/checkout/submodule-link.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import { type CarriedChanges, putChanges, takeChanges } from './carry-changes.ts';
import { checkOut } from './check-out.ts';
import { makeStore, storeName } from './submodule-store.ts';
import { pointerOf } from './worktree-entry.ts';
import { explainedFault } from './worktree-fault.ts';

/**
 * Checks out the submodules of a checkout, and their submodules, in a new worktree: each at its own commit, with its
 * changed and untracked files, and with its own repository below the worktree's git directory, where git itself would
 * make it. Nothing is fetched, and nothing that a repository configures is run. A repeated call has the same result.
 * @param paths the submodules, in Latin-1; one without a commit is skipped
 * @throws FAILED_PRECONDITION when objects are missing, or git cannot read or store a file
 */
export async function carrySubmodules(
  from: CheckoutFolder,
  to: CheckoutFolder,
  paths: CarriedChanges['submodules'],
): Promise<void> {
  for (const path of paths) {
    const source = await submoduleAt(from.workTree, path);
    if (source === undefined || (await readHeadSha(source)) === undefined) continue;
    const changes = await takeChanges(source);
    const target = await makeSubmodule({ source, outer: from, to, path: shownPath(path), changes });
    await carrySubmodules(source, target, changes.submodules);
  }
}

interface SubmoduleOptions {
  readonly source: CheckoutFolder;
  /** The checkout that it is a submodule of. */
  readonly outer: CheckoutFolder;
  readonly to: CheckoutFolder;
  readonly path: string;
  readonly changes: CarriedChanges;
}

async function makeSubmodule({ source, outer, to, path, changes }: SubmoduleOptions): Promise<CheckoutFolder> {
  const workTree = join(to.workTree, path);
  const { headSha } = changes;
  const name = storeName(source, outer, path);
  try {
    const gitDir = await makeStore({ source, headSha, owner: to.gitDir, name, workTree });
    const target = { workTree, gitDir, commonDir: gitDir };
    await makeFolder(to.workTree, path);
    await pointTo(target);
    await checkOut(target, headSha);
    await putChanges(target, headSha, changes);
    return target;
  } catch (error) {
    throw explainedFault(error, workTree);
  }
}

/** Points an empty folder to its git directory. @throws FAILED_PRECONDITION when the folder is not empty */
async function pointTo({ workTree, gitDir }: CheckoutFolder): Promise<void> {
  await using folder = await openFolder(workTree);
  if (folder !== undefined && (await pointerOf(workTree)) === gitDir) return;
  const names = folder && (await readdir(folder.at));
  if (folder === undefined || names?.length !== 0) {
    throw new Failure(
      'DIRECTORY_CHANGED',
      `${workTree} is not an empty folder: the submodule cannot be checked out there`,
    );
  }
  await writeFile(join(folder.at, '.git'), `gitdir: ${gitDir}\n`, { flag: 'wx' });
}
