import type { Performer } from '#actors/host/agent/performer.ts';
import { Failure } from '#contract/failure.ts';
import { copyFiles } from '#world/file/copy-files.ts';
import { findGitDirectory } from '#world/git/git-directory.ts';
import { addWorktree } from '#world/git/worktree.ts';
import { worktreePlace } from './worktree-place.ts';

/** Makes the agent's worktree and branch, and copies in the files that the workflow names. */
export function provisionWorktree(worktrees: string): Performer {
  return {
    step: 'provisioning',
    async perform({ record }) {
      const { cwd, baseBranch, copyFiles: patterns, repository } = record.launch;
      const at = await findGitDirectory(cwd);
      if (!at) {
        throw new Failure(
          'failed_precondition',
          `${cwd} is not in a git repository: run git init there, or launch without a worktree`,
        );
      }
      if (repository !== undefined && at.commonDir !== repository) {
        throw new Failure('failed_precondition', `${cwd} is in another repository since the agent was launched`);
      }
      const worktree = await addWorktree({
        repository: cwd,
        ...worktreePlace(record, worktrees, at.commonDir),
        ...(baseBranch ? { base: baseBranch } : {}),
      });
      const copied = at.workTree ? await copyFiles({ from: at.workTree, to: worktree.path, patterns }) : [];
      return { type: 'WORKTREE_READY', worktree: { ...worktree, repository: at.commonDir, copied } };
    },
  };
}
