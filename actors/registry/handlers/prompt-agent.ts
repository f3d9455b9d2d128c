import { handler } from '#actors/registry/handler.ts';
import { steer } from '#actors/registry/steering.ts';
import { promptAgent } from '#contract/operations/steering.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { isAtWork } from '#machines/agent-view.ts';

/** Has a prompt typed into an agent's pane. */
export const promptAgentHandler = handler(promptAgent, ({ agentId, prompt }, caller, scope) =>
  steer(scope, caller, {
    method: promptAgent.method,
    call: hostCalls.prompt,
    request: { agentId, text: prompt },
    isPossible: isAtWork,
    fact: 'agent.prompted',
    detail: { characters: [...prompt].length },
  }),
);
