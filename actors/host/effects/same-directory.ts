import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { isUnlinked } from '#world/file/directory.ts';

/**
 * Checks the directory of an agent that another agent launched, before anything is started in it. It must not have
 * become a symbolic link or be behind one, because the launch was allowed by its path.
 * @param worktrees the folder that holds the worktrees
 * @throws FAILED_PRECONDITION when it has
 */
export async function requireSameDirectory(
  { launch }: Pick<AgentRecord, 'launch'>,
  directory: string,
  worktrees: string,
): Promise<void> {
  if (!launch.launchedByAgent || (await isUnlinked(directory, worktrees))) return;
  throw new Failure(
    'DIRECTORY_CHANGED',
    `${directory} leads elsewhere than when the agent was launched: undo that, then retry`,
  );
}
