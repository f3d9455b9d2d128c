import { wholeAgent } from '#actors/registry/agent-resource.ts';
import { agentToChange, change, demand } from '#actors/registry/change.ts';
import { handler } from '#actors/registry/handler.ts';
import { retryAgent } from '#contract/operations/agent.ts';

/** Carries on with a launch or a clean-up that failed. */
export const retryAgentHandler = handler(retryAgent, ({ agentId }, _caller, scope) =>
  change(scope, async (writing) => {
    const agent = await agentToChange(writing, agentId);
    const retried = await demand(writing, agent, { type: 'RETRY' }, retryAgent.method);
    return { agent: await wholeAgent(writing.tables.agents, retried) };
  }),
);
