import { Failure } from '#contract/failure.ts';
import { readHeadSha } from '#world/git/checkout/checkout.ts';
import { committedFile, fillIndex, type IndexContent } from '#world/git/checkout/own-index.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { lineOf } from '#world/git/repository/repository.ts';
import { openShadow, type Shadow } from '#world/git/repository/shadow.ts';
import { overPlainFiles } from '#world/git/snapshot/plain-lists.ts';
import { requireWhole, snapshotTree } from '#world/git/snapshot/snapshot.ts';
import { addVerbatim, transformedFiles } from '#world/git/snapshot/transformed-files.ts';

const walkMs = 120_000;

/** A checkout's files, as trees of the repository. */
export interface CarriedChanges {
  /** The commit that is checked out. */
  readonly headSha: string;
  /** All files except ignored ones and the files of submodules and other nested repositories. */
  readonly treeSha: string;
  /** Submodules that are checked out. Latin-1 paths. */
  readonly submodules: readonly string[];
}

/**
 * Stores the uncommitted changes of a checkout, and its untracked files that are not ignored, in its repository. Links
 * are stored as links and not followed. The checkout, its index and its HEAD stay as they are, and nothing that the
 * repository configures is run. Bytes stay as they are, except for line endings that attributes convert.
 * @throws FAILED_PRECONDITION when there is no commit yet, or git cannot read or store a file
 */
export async function takeChanges(at: CheckoutFolder): Promise<CarriedChanges> {
  const headSha = await readHeadSha(at);
  if (headSha === undefined) {
    throw new Failure('REPOSITORY_EMPTY', `${at.workTree} has no commit yet: make one to start from`);
  }
  await using shadow = await openShadow(at, { headSha, index: 'shadow', objects: 'keep' });
  const look = async (): Promise<CarriedChanges> => {
    const { committed } = await fillIndex(shadow, at, headSha, 'everything');
    const snapshot = await snapshotTree(shadow, at.workTree, committed);
    requireWhole(snapshot);
    const treeSha = await rawTree(shadow, at.workTree, committed);
    return { headSha, treeSha, submodules: snapshot.submodules };
  };
  return await overPlainFiles(shadow, at, look, walkMs);
}

/**
 * The tree of the shadow's index; changed files that attributes have git convert are in it as they are on the disk.
 */
async function rawTree(shadow: Shadow, workTree: string, committed: IndexContent['committed']): Promise<string> {
  const staged = (await shadow.entries()).map(committedFile);
  const changed = new Set(staged.filter(([path, entry]) => committed.get(path) !== entry).map(([path]) => path));
  const { turnedBack } = await transformedFiles(shadow, workTree, []);
  await addVerbatim(
    shadow,
    workTree,
    turnedBack.filter((path) => changed.has(path)),
  );
  return lineOf(await shadow.git(['write-tree', '--missing-ok']));
}

/**
 * Writes changes from `takeChanges` into a new, unused checkout of the same commit. Its index stays at the
 * commit, so that the changes are uncommitted and untracked there too. Git itself writes nothing outside of the
 * checkout and nothing through a link. A repeated call has the same result.
 * @param baseSha the commit that is checked out
 */
export async function putChanges(at: CheckoutFolder, baseSha: string, { treeSha }: CarriedChanges): Promise<void> {
  await using shadow = await openShadow(at, { headSha: baseSha, index: 'shadow', objects: 'keep' });
  await shadow.git(['read-tree', baseSha]);
  await shadow.git(['update-index', '-q', '--refresh'], { exitCodes: [0, 1], timeoutMs: walkMs });
  const update = ['read-tree', '--reset', '-u', '--no-recurse-submodules', baseSha, treeSha];
  await shadow.git(update, { timeoutMs: walkMs });
}
