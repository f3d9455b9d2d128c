import { wholeAgent } from '#actors/registry/agent-resource.ts';
import { agentToChange, change, demand, send } from '#actors/registry/change.ts';
import { isBeingDeleted } from '#actors/registry/find-agent.ts';
import { handler } from '#actors/registry/handler.ts';
import { deleteAgent } from '#contract/operations/agent.ts';

/** Begins to take an agent and its children away. A deletion that is under way goes on as it was asked for. */
export const deleteAgentHandler = handler(deleteAgent, ({ agentId, force = false }, _caller, scope) =>
  change(scope, async (writing) => {
    const { agents } = writing.tables;
    const agent = await agentToChange(writing, agentId);
    if (isBeingDeleted(agent)) return { agent: await wholeAgent(agents, agent) };
    for (const child of await agents.childrenOf(agentId)) await send(writing, child, { type: 'DELETE', force });
    const deleted = await demand(writing, agent, { type: 'DELETE', force }, deleteAgent.method);
    return { agent: await wholeAgent(agents, deleted) };
  }),
);
