import type { WorktreeFacts } from '#world/git/worktree/worktree-inspection.ts';

/** Maximum number of paths that a sentence names. */
const maxNamed = 5;

/** Why a worktree cannot be moved: what git cannot store, or what would be lost. */
export function againstMoving(facts: WorktreeFacts): readonly string[] {
  const { unborn, sequenceInProgress, conflicts, repositories, hidden } = facts;
  const reasons = [
    unborn && 'its branch has no commit yet: make one',
    sequenceInProgress && 'a merge, rebase or cherry-pick is in progress in its worktree: finish or abort it',
    !sequenceInProgress &&
      conflicts.length > 0 &&
      `its worktree has conflicts: resolve them, and mark them with git add: ${named(conflicts)}`,
    repositories.length > 0 &&
      `its worktree has submodules or repositories of their own, which are not carried: ${named(repositories)}`,
    hidden.length > 0 && `its worktree has ${named(hidden)}, named .git but not a repository: git cannot store it`,
  ];
  return reasons.filter((reason) => reason !== false);
}

/** The parts of a worktree that are not moved. They stay on the host that the agent leaves. */
export function notCarried({ ignored, stashes }: WorktreeFacts): readonly string[] {
  const left = [
    ignored.length > 0 && `${ignored.length} ignored ${ignored.length === 1 ? 'file' : 'files'}: ${named(ignored)}`,
    stashes > 0 && `${stashes} ${stashes === 1 ? 'stash' : 'stashes'} made on its branch`,
  ];
  return left.filter((one) => one !== false);
}

function named(paths: readonly string[]): string {
  const more = paths.length - maxNamed;
  return `${paths.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
