import { agentToChange, change, sendRequired } from '#actors/registry/agent/change.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import { holdAgent, unholdAgent } from '#contract/operations/hold.ts';

/** Holds an agent for a person, who takes it over. */
export const holdAgentHandler = handler(holdAgent, ({ agentId }, caller, scope) =>
  change(scope, async (writing) => {
    const agent = await agentToChange(writing, agentId);
    const event = { type: 'HOLD', at: scope.clock.now() } as const;
    const held = agent.heldAt == null ? await sendRequired(writing, agent, event, holdAgent.method) : agent;
    return { agent: await wholeAgent(writing.tables.agents, held, caller) };
  }),
);

/** Releases a held agent. */
export const unholdAgentHandler = handler(unholdAgent, ({ agentId }, caller, scope) =>
  change(scope, async (writing) => {
    const agent = await agentToChange(writing, agentId);
    const free =
      agent.heldAt == null ? agent : await sendRequired(writing, agent, { type: 'UNHOLD' }, unholdAgent.method);
    return { agent: await wholeAgent(writing.tables.agents, free, caller) };
  }),
);
