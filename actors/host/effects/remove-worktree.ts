import type { Performer } from '#actors/host/agent/performer.ts';
import { Failure } from '#contract/failure.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { dropAllRounds } from '#world/git/review/round.ts';
import { keptUnder } from '#world/git/worktree/kept-snapshot.ts';
import { removeWorktree as takeDown } from '#world/git/worktree/worktree-removal.ts';
import { removableWorktree } from './worktree-place.ts';

/** Removes the agent's worktree, and its branch, if nothing would be lost, or by force. */
export function removeWorktree(worktrees: string): Performer {
  return {
    step: 'removing',
    async perform({ record, effect }) {
      const worktree = await removableWorktree(record, worktrees);
      if (!worktree) return { type: 'WORKTREE_REMOVED' };
      const force = effect.params['force'] === true;
      const removal = await takeDown({ ...worktree, agentId: record.id, force });
      if (removal.removed) {
        const at = await findGitDirectory(worktree.repository);
        const ref = force && at ? await keptUnder(at, record.id) : undefined;
        // The snapshots of its reviews are no longer needed. If they cannot be removed, they only take up space.
        if (at !== undefined) await dropAllRounds(at, record.id).catch(() => {});
        return { type: 'WORKTREE_REMOVED', ...(ref && { kept: ref }) };
      }
      const why = removal.reasons.join('; ');
      throw new Failure(
        'WORK_WOULD_BE_LOST',
        force
          ? `nothing was removed, even by force: ${why}. Fix it and retry`
          : `nothing was removed, because it would be lost: ${why}. Save it and retry, or delete with force`,
      );
    },
  };
}
