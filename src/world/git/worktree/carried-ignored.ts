import pLimit from 'p-limit';
import type { NotCopied } from '#contract/wire/left-behind.ts';
import { copyTree } from '#world/file/copy-tree.ts';
import { type TreeSize, treeSize } from '#world/file/tree-size.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { shownPath } from '#world/git/repository/git-paths.ts';
import { unstoredPaths } from './unstored-paths.ts';
import { resolveExistingPath } from './worktree-entry.ts';

/** Maximum size of all copied ignored files, in bytes. */
const maxBytes = 200_000_000;
const maxFiles = 20_000;

/** Where muster's own worktrees are: an ignored folder of the checkout that contains them is skipped. */
export interface WorktreesFolder {
  readonly worktrees: string;
}

/** Which of a checkout's ignored files are copied, and which are not. Latin-1 paths. */
interface Selection {
  readonly taken: readonly string[];
  /** What exceeds the limits, the smallest first. */
  readonly large: readonly SizedPath[];
  readonly repositories: readonly string[];
  readonly unreadable: readonly string[];
}

interface SizedPath extends TreeSize {
  readonly path: string;
}

/** How long listing the ignored files for a launch may take, in milliseconds. */
const walkMs = 120_000;
const atOnce = 16;

/**
 * Copies the ignored files of a checkout, and of its submodules, into a worktree, overwriting nothing: the smallest
 * first, up to 20,000 files and 200 MB in all. The rest, nested repositories and unreadable files stay behind.
 * @throws FAILED_PRECONDITION when git cannot list them
 */
export async function carryIgnored(at: CheckoutFolder, worktree: string, own: WorktreesFolder): Promise<void> {
  const { taken } = await select(at, own, performance.now() + walkMs);
  await copyTree({ from: at.workTree, to: worktree }, taken);
}

/**
 * The files that `carryIgnored` would not copy, the largest first, with sizes where they can be counted in time.
 * @throws FAILED_PRECONDITION when git cannot list it, or it takes longer than `limitMs`
 */
export async function notCarried(at: CheckoutFolder, own: WorktreesFolder, limitMs: number): Promise<NotCopied[]> {
  const until = performance.now() + limitMs;
  const { large, repositories, unreadable } = await select(at, own, until);
  const isLate = (): boolean => performance.now() > until;
  const counted = await pLimit(atOnce).map(large, async ({ path }) => ({
    path: shownPath(path),
    reason: 'large' as const,
    bytes: (await treeSize(at.workTree, path, isLate)).bytes,
  }));
  const named = (reason: NotCopied['reason'], paths: readonly string[]): NotCopied[] =>
    paths.map((path) => ({ path: shownPath(path), reason }));
  counted.sort((one, other) => other.bytes - one.bytes);
  return [...counted, ...named('repository', repositories), ...named('unreadable', unreadable)];
}

async function select(at: CheckoutFolder, own: WorktreesFolder, until: number): Promise<Selection> {
  const worktrees = await resolveExistingPath(own.worktrees);
  const { ignored, repositories } = await unstoredPaths(at, until - performance.now());
  const isEnough = (size: TreeSize): boolean => isTooMuch(size) || performance.now() > until;
  const holdsOwn = (path: string): boolean =>
    path.endsWith('/') && `${worktrees}/`.startsWith(`${at.workTree}/${shownPath(path)}`);
  const sized: SizedPath[] = await pLimit(atOnce).map(
    ignored.filter((path) => !holdsOwn(path)),
    async (path) => ({ path, ...(await treeSize(at.workTree, path, isEnough)) }),
  );
  sized.sort((one, other) => one.bytes - other.bytes);
  return {
    ...within(sized),
    repositories: [...repositories, ...sized.flatMap((size) => size.repositories)],
    unreadable: sized.flatMap((size) => size.unreadable),
  };
}

/** Takes paths in their order while they fit the limits. */
function within(sized: readonly SizedPath[]): Pick<Selection, 'taken' | 'large'> {
  const taken: string[] = [];
  const large: SizedPath[] = [];
  let [bytes, files] = [0, 0];
  for (const size of sized) {
    const all = { bytes: bytes + size.bytes, files: files + size.files };
    if (!size.isWhole || isTooMuch(all)) {
      large.push(size);
      continue;
    }
    ({ bytes, files } = all);
    if (size.files > 0) taken.push(size.path);
  }
  return { taken, large };
}

function isTooMuch({ bytes, files }: Pick<TreeSize, 'bytes' | 'files'>): boolean {
  return bytes > maxBytes || files > maxFiles;
}
