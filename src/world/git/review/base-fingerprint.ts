import { join } from 'node:path';
import { fingerprintOf } from '#world/git/checkout/checkout-fingerprint.ts';
import type { GitDirectory } from '#world/git/repository/git-directory.ts';
import { branchOf } from '#world/git/worktree/worktree-entry.ts';
import type { BaseQuestion } from './round-base.ts';

/**
 * A fingerprint of the files that hold the tips of a base: while it is unchanged, so are the tips. Undefined if the
 * files changed too recently to distinguish one change from the next.
 * @param now the time, in milliseconds since 1970
 */
export async function baseFingerprint(
  { commonDir }: GitDirectory,
  { base, defaultBase }: BaseQuestion,
  now: number,
): Promise<string | undefined> {
  const checkedOut = await branchOf(commonDir);
  const names = [base, defaultBase, 'main', 'master', checkedOut].filter((name) => name !== undefined);
  const refs = [...new Set(names)].flatMap((name) => [`refs/heads/${name}`, `refs/remotes/origin/${name}`]);
  const files = ['HEAD', 'packed-refs', 'reftable/tables.list', 'refs/remotes/origin/HEAD', ...refs];
  return fingerprintOf(
    files.map((name) => join(commonDir, name)),
    now,
  );
}
