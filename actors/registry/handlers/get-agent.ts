import { agentRowsOf } from '#actors/registry/agent-rows.ts';
import { findAgent } from '#actors/registry/find-agent.ts';
import { handler } from '#actors/registry/handler.ts';
import { getAgent } from '#contract/operations/agent.ts';

/** Shows one agent, its briefing whole. */
export const getAgentHandler = handler(getAgent, ({ agentId }, caller, { store }) =>
  store.read(async (tables) => {
    const [agent] = await agentRowsOf(tables, [await findAgent(tables.agents, agentId)], caller, 'VIEW_FULL');
    return { agent };
  }),
);
