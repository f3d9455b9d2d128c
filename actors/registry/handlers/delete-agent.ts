import { agentToChange, change, demand } from '#actors/registry/change.ts';
import { isBeingDeleted, refuseHeld } from '#actors/registry/find-agent.ts';
import { handler } from '#actors/registry/handler.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import { deleteAgent } from '#contract/operations/agent.ts';

/**
 * Begins to take an agent away; its children follow once it is sure that nothing of it would be lost. A deletion that is
 * under way goes on as it was asked for.
 */
export const deleteAgentHandler = handler(deleteAgent, ({ agentId, force = false }, caller, scope) =>
  change(scope, async (writing) => {
    const { agents } = writing.tables;
    const agent = await agentToChange(writing, agentId);
    if (isBeingDeleted(agent)) return { agent: await wholeAgent(agents, agent, caller) };
    for (const one of [agent, ...(await agents.childrenOf(agentId))]) refuseHeld(one, deleteAgent.method);
    const deleted = await demand(writing, agent, { type: 'DELETE', force }, deleteAgent.method);
    return { agent: await wholeAgent(agents, deleted, caller) };
  }),
);
