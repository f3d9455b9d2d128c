import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { isUnlinked } from '#world/file/directory.ts';

/**
 * Has nothing started for an agent that another one launched where its directory is a link by now, or lies behind one: it was
 * given what it was by the name alone.
 * @param worktrees the folder that holds the worktrees
 * @throws Failure `failed_precondition`
 */
export async function requireUnmoved(
  { launch }: Pick<AgentRecord, 'launch'>,
  directory: string,
  worktrees: string,
): Promise<void> {
  if (!launch.launchedByAgent || (await isUnlinked(directory, worktrees))) return;
  throw new Failure(
    'failed_precondition',
    `${directory} leads elsewhere since the agent was launched: undo that, then retry`,
  );
}
