import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { isUnlinked } from '#world/file/directory.ts';

/**
 * Refuses to start anything for an agent that another one launched if its directory is now a link, or is behind one:
 * the launch was allowed by the path alone.
 * @param worktrees the folder that holds the worktrees
 * @throws FAILED_PRECONDITION
 */
export async function requireSameDirectory(
  { launch }: Pick<AgentRecord, 'launch'>,
  directory: string,
  worktrees: string,
): Promise<void> {
  if (!launch.launchedByAgent || (await isUnlinked(directory, worktrees))) return;
  throw new Failure(
    'DIRECTORY_CHANGED',
    `${directory} has led elsewhere since the agent was launched: undo that, then retry`,
  );
}
