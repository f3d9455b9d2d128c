import type { CheckoutDiff } from '#contract/agent/agent-view.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { splitPaths } from '#world/git/repository/git-paths.ts';
import { openObjects } from './blobs.ts';
import { largeBytes, renames } from './changed-entries.ts';
import { type BaseQuestion, roundBase } from './round-base.ts';
import { viewWorktree } from './worktree-view.ts';

/**
 * How much a worktree differs from the base of a review round that would start now, including untracked files. A moved
 * file counts once; large and binary files count no lines. Undefined if there is no difference, or there is no commit.
 */
export function diffSize(at: CheckoutFolder, question: BaseQuestion): Promise<CheckoutDiff | undefined> {
  return viewWorktree(at, { objects: 'discard', hashing: 'changed' }, async ({ shadow, treeSha, headSha }) => {
    const base = await roundBase(at, question, headSha);
    if (base === undefined) return undefined;
    await using objects = await openObjects(at, [shadow]);
    const options = ['-r', '-z', '--numstat', '--ignore-submodules=none', ...renames];
    const args = ['-c', `core.bigFileThreshold=${largeBytes}`, 'diff-tree', ...options, base.sha, treeSha, '--'];
    const { stdout } = await objects.git(args, { timeoutMs: 60_000 });
    return sumOf(splitPaths(stdout));
  });
}

/** Sums what `--numstat -z` lists: counts and a path, or counts and then the two paths of a moved file. */
function sumOf(fields: readonly string[]): CheckoutDiff | undefined {
  const counts = fields.flatMap((field) => {
    const [, added = '', deleted = ''] = /^(\d+|-)\t(\d+|-)\t/.exec(field) ?? [];
    return added === '' ? [] : [{ additions: Number(added) || 0, deletions: Number(deleted) || 0 }];
  });
  if (counts.length === 0) return undefined;
  return counts.reduce<CheckoutDiff>(
    (sum, { additions, deletions }) => ({
      files: sum.files + 1,
      additions: sum.additions + additions,
      deletions: sum.deletions + deletions,
    }),
    { files: 0, additions: 0, deletions: 0 },
  );
}
