import { agentRowOf } from '#actors/registry/agent-resource.ts';
import { findAgent } from '#actors/registry/find-agent.ts';
import { handler } from '#actors/registry/handler.ts';
import { markAgent } from '#contract/operations/agent.ts';

/** Gives an agent its letter, which moves over from whoever holds it. */
export const markAgentHandler = handler(markAgent, ({ agentId, mark }, _caller, { store }) =>
  store.write(async ({ agents, journal }) => {
    await journal.setMark(await findAgent(agents, agentId), mark || null);
    return { agent: agentRowOf(await findAgent(agents, agentId), undefined) };
  }),
);
