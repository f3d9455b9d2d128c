import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { markAgent } from '#contract/operations/agent.ts';
import { agentRowsOf } from './agent-rows.ts';

/** Moves a mark to an agent. */
export const markAgentHandler = handler(markAgent, ({ agentId, mark }, caller, { store }) =>
  store.write(async (tables) => {
    await tables.journal.setMark(await findAgent(tables.agents, agentId), mark || null);
    const [agent] = await agentRowsOf(tables, [await findAgent(tables.agents, agentId)], caller);
    return { agent };
  }),
);
