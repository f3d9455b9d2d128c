import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { getAgent } from '#contract/operations/agent.ts';
import { agentRowsOf } from './agent-rows.ts';

/** Returns one agent, with its complete briefing. */
export const getAgentHandler = handler(getAgent, ({ agentId }, caller, { store }) =>
  store.read(async (tables) => {
    const [agent] = await agentRowsOf(tables, [await findAgent(tables.agents, agentId)], caller, 'VIEW_FULL');
    return { agent };
  }),
);
