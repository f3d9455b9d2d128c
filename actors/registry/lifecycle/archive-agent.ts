import { agentToChange, change, send, sendRequired } from '#actors/registry/agent/change.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { refuseHeld } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { archiveAgent } from '#contract/operations/agent.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/** Archives an agent and its children. */
export const archiveAgentHandler = handler(archiveAgent, ({ agentId }, caller, scope) =>
  change(scope, async (writing) => {
    const { agents } = writing.tables;
    const agent = await agentToChange(writing, agentId);
    checkOwnFanOut(caller, agent);
    if (agent.standing === 'archived') return { agent: await wholeAgent(agents, agent, caller) };
    const children = await agents.childrenOf(agentId);
    for (const one of [agent, ...children]) refuseHeld(one, archiveAgent.method);
    const archived = await sendRequired(writing, agent, { type: 'ARCHIVE' }, archiveAgent.method);
    for (const child of children) {
      if (child.standing === 'present') await send(writing, child, { type: 'ARCHIVE' });
    }
    return { agent: await wholeAgent(agents, archived, caller) };
  }),
);

function checkOwnFanOut(caller: Caller, agent: StoredAgent): void {
  if (caller.kind === 'person' || agent.spawnedByAgentId === caller.agentId) return;
  throw new Failure(
    'NOT_YOURS',
    `Agent ${describeAgent(agent)} is not one that you launched: an orchestrator may archive only agents that it launched itself`,
    { field: 'agentId' },
  );
}
