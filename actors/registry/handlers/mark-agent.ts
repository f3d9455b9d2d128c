import { agentRowsOf } from '#actors/registry/agent-rows.ts';
import { findAgent } from '#actors/registry/find-agent.ts';
import { handler } from '#actors/registry/handler.ts';
import { markAgent } from '#contract/operations/agent.ts';

/** Gives an agent its letter, which moves over from whoever holds it. */
export const markAgentHandler = handler(markAgent, ({ agentId, mark }, caller, { store }) =>
  store.write(async (tables) => {
    await tables.journal.setMark(await findAgent(tables.agents, agentId), mark || null);
    const [agent] = await agentRowsOf(tables, [await findAgent(tables.agents, agentId)], caller);
    return { agent };
  }),
);
