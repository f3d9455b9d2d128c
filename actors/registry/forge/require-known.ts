import { findAgent } from '#actors/registry/agent/find-agent.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import type { Tables } from '#store/store.ts';
import { type Remote, remoteWebUrl } from '#world/git/remote-url.ts';
import { confirmedOf } from './confirmed.ts';

/** Refuses an agent a repository that no person has confirmed for its workflow. @throws Failure `not_found` */
export async function requireKnown(tables: Tables, caller: Caller, remote: Remote): Promise<void> {
  if (caller.kind === 'person') return;
  const { workflowId } = await findAgent(tables.agents, caller.agentId);
  if ((await confirmedOf(tables, [workflowId])).holds(workflowId, remoteWebUrl(remote))) return;
  throw new Failure(
    'not_found',
    'There is no such repository, or no person has confirmed it for your workflow. Where it is yours to read, tell a person: ' +
      '`muster workflow confirm` does it',
  );
}
