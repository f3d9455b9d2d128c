import { findAgent } from '#actors/registry/agent/find-agent.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import type { Tables } from '#store/tables.ts';
import { type Remote, remoteWebUrl } from '#world/git/remote/remote-url.ts';
import { readConfirmedRepositories } from './confirmed-repositories.ts';

/** @throws NOT_FOUND when an agent calls and no person has confirmed the repository for its workflow */
export async function requireKnown(tables: Tables, caller: Caller, remote: Remote): Promise<void> {
  if (caller.kind === 'person') return;
  const { workflowId } = await findAgent(tables.agents, caller.agentId);
  if ((await readConfirmedRepositories(tables, [workflowId])).holds(workflowId, remoteWebUrl(remote))) return;
  throw new Failure(
    'REPOSITORY_NOT_FOUND',
    'There is no such repository, or no person has confirmed it for your workflow. If you may read it, ask a person: ' +
      '`muster workflow confirm` confirms it',
  );
}
