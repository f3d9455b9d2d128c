import { handler } from '#actors/registry/kernel/handler.ts';
import { getAgent } from '#contract/operations/agent.ts';
import { wholeAgentRow } from './agent-rows.ts';

/** Returns one agent, with its complete briefing. */
export const getAgentHandler = handler(getAgent, ({ agentId }, caller, { store }) =>
  store.read(async (tables) => {
    return { agent: await wholeAgentRow(tables, agentId, caller) };
  }),
);
