import { handler } from '#actors/registry/handler.ts';
import { steer } from '#actors/registry/steering.ts';
import { promptAgent } from '#contract/operations/steering.ts';
import { hostCalls } from '#contract/wire/registry.ts';

/** Has a prompt typed into an agent's pane. */
export const promptAgentHandler = handler(promptAgent, ({ agentId, prompt }, caller, scope) =>
  steer(scope, caller, {
    method: promptAgent.method,
    call: hostCalls.prompt,
    request: { agentId, text: prompt },
    fact: 'agent.prompted',
    detail: { characters: [...prompt].length },
  }),
);
