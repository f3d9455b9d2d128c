import type { Performer } from '#actors/host/agent/performer.ts';
import { Failure } from '#contract/failure.ts';
import { copyFiles } from '#world/file/copy-files.ts';
import { type CheckoutFolder, findGitDirectory, type GitDirectory } from '#world/git/repository/git-directory.ts';
import { takeChanges } from '#world/git/worktree/carry-changes.ts';
import { carryCheckout } from '#world/git/worktree/carry-checkout.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { worktreePlace } from './worktree-place.ts';

/**
 * Creates the agent's worktree and branch, with the directory's uncommitted changes if the launch asks for them, and
 * copies the files that the workflow names.
 */
export function provisionWorktree(worktrees: string): Performer {
  return {
    step: 'provisioning',
    async perform({ record }) {
      const { cwd, baseBranch, withChanges, copyFiles: patterns, repository } = record.launch;
      const at = await findGitDirectory(cwd);
      if (!at) {
        throw new Failure(
          'NOT_A_REPOSITORY',
          `${cwd} is not in a git repository: run git init there, or launch without a worktree`,
        );
      }
      if (repository !== undefined && at.commonDir !== repository) {
        throw new Failure('DIRECTORY_CHANGED', `${cwd} has been in another repository since the agent was launched`);
      }
      const checkout = withChanges ? checkoutOf(at, cwd) : undefined;
      const changes = checkout && (await takeChanges(checkout));
      const base = changes?.headSha ?? baseBranch;
      const worktree = await addWorktree({
        repository: cwd,
        ...worktreePlace(record, worktrees, at.commonDir),
        ...(base ? { base } : {}),
      });
      if (checkout && changes) await carryCheckout(checkout, worktree, changes, { worktrees });
      const copied = at.workTree ? await copyFiles({ from: at.workTree, to: worktree.path, patterns }) : [];
      return { type: 'WORKTREE_READY', worktree: { ...worktree, repository: at.commonDir, copied } };
    },
  };
}

function checkoutOf({ workTree, ...at }: GitDirectory, cwd: string): CheckoutFolder {
  if (workTree !== undefined) return { ...at, workTree };
  throw new Failure('NOT_A_REPOSITORY', `${cwd} is a bare repository, which has no changes: launch without changes`);
}
