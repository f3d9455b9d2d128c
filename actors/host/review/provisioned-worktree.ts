import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import type { BaseQuestion } from '#world/git/review/round-base.ts';
import { directoryOf, pointerOf, resolveExistingPath, worktreeEntries } from '#world/git/worktree/worktree-entry.ts';

/**
 * The worktree that was made for an agent.
 * @throws FAILED_PRECONDITION when it is gone, or no longer points to the repository that it was made from
 */
export async function provisioned(
  agentId: string,
  worktree: { repository: string; path: string },
): Promise<CheckoutFolder> {
  const path = await resolveExistingPath(worktree.path);
  const entry = (await worktreeEntries(worktree.repository)).find((one) => one.path === path);
  const pointer = await pointerOf(path);
  if (entry === undefined || pointer === undefined) {
    throw new Failure('DIRECTORY_MISSING', `the worktree ${path} of agent ${agentId} is gone`);
  }
  if (pointer !== entry.adminDir) throw repointed(agentId, path);
  return { ...directoryOf(entry, worktree.repository, path), workTree: path };
}

/** The error for a worktree that points to another repository than the one that it was made from. */
export function repointed(agentId: string, path: string): Failure {
  return new Failure(
    'DIRECTORY_CHANGED',
    `${path}/.git of agent ${agentId} no longer points to the repository that it was made from: fix it`,
  );
}

/** The base that an agent's work is compared with. */
export function basesOf(record: AgentRecord, base: string | undefined): BaseQuestion {
  const { worktree } = readAgentContext(record.snapshot);
  return { base, defaultBase: record.launch.baseBranch, startSha: worktree?.baseSha };
}
