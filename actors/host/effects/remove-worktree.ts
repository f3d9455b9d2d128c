import { Failure } from '#contract/failure.ts';
import { removeWorktree as takeDown } from '#world/git/worktree-removal.ts';
import type { Performer } from '../performer.ts';
import { removableWorktree } from '../worktree-place.ts';

/** Removes the agent's worktree, and its branch, where nothing would be lost, or by force. */
export function removeWorktree(worktrees: string): Performer {
  return {
    step: 'removing',
    async perform({ record, effect }) {
      const { baseBranch } = record.launch;
      const worktree = await removableWorktree(record, worktrees);
      if (!worktree) return { type: 'WORKTREE_REMOVED' };
      const removal = await takeDown({
        agentId: record.id,
        repository: worktree.repository,
        path: worktree.path,
        branch: worktree.branch,
        copied: worktree.copied,
        force: effect.params['force'] === true,
        ...(baseBranch ? { base: baseBranch } : {}),
      });
      if (removal.removed) return { type: 'WORKTREE_REMOVED' };
      throw new Failure(
        'failed_precondition',
        `nothing was removed, because it would be lost: ${removal.reasons.join('; ')}. Save it and retry, or delete with force`,
      );
    },
  };
}
