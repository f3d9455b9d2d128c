import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { openShadow } from '#world/git/repository/shadow.ts';

/** The time limit, in milliseconds: enough to check out a large repository on a busy disk. */
const checkoutMs = 600_000;

/**
 * Checks out the files of a commit in a new, unused checkout, through a shadow: git's own checkout would run
 * the filters that the repository configures.
 */
export async function checkOut(at: CheckoutFolder, commit: string): Promise<void> {
  await using shadow = await openShadow(at, { headSha: undefined, index: 'checkout', objects: 'keep' });
  await shadow.git(['read-tree', '--reset', '-u', '--no-recurse-submodules', commit], { timeoutMs: checkoutMs });
}
