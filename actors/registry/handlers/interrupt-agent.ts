import { handler } from '#actors/registry/handler.ts';
import { steer } from '#actors/registry/steering.ts';
import { interruptAgent } from '#contract/operations/steering.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { isAtWork } from '#machines/agent-view.ts';

/** Has an agent's turn ended. */
export const interruptAgentHandler = handler(interruptAgent, ({ agentId }, caller, scope) =>
  steer(scope, caller, {
    method: interruptAgent.method,
    call: hostCalls.interrupt,
    request: { agentId },
    isPossible: isAtWork,
    fact: 'agent.interrupted',
  }),
);
