import type { Performer } from '#actors/host/agent/performer.ts';
import { Failure } from '#contract/failure.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { inspectWorktree as inspect, reasonsAgainstRemoval } from '#world/git/worktree/worktree-inspection.ts';
import { removableWorktree } from './worktree-place.ts';

/**
 * Checks whether removing the agent's worktree would lose anything, before any window is closed. The removal itself
 * checks again.
 */
export function inspectWorktree(worktrees: string): Performer {
  return {
    step: 'inspecting',
    async perform({ record }) {
      const worktree = await removableWorktree(record, worktrees);
      if (!worktree || !(await findGitDirectory(worktree.repository))) return { type: 'WORKTREE_INSPECTED' };
      const found = await inspect(worktree);
      const reasons = found.state === 'present' ? reasonsAgainstRemoval(found.facts) : [];
      if (reasons.length === 0) return { type: 'WORKTREE_INSPECTED' };
      throw new Failure(
        'WORK_WOULD_BE_LOST',
        `this would be lost: ${reasons.join('; ')}. Save it, or delete with force`,
      );
    },
  };
}
