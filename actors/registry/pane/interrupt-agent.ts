import type { PermitScope } from '#actors/registry/host/host-scope.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { interruptAgent } from '#contract/operations/steering.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { isAtWork } from '#machines/agent/agent-view.ts';
import { steer } from './steering.ts';

/** Interrupts an agent's turn. */
export const interruptAgentHandler = handler(interruptAgent, ({ agentId }, caller, scope: PermitScope) =>
  steer(scope, caller, {
    method: interruptAgent.method,
    call: hostCalls.interrupt,
    request: { agentId },
    stops: true,
    isPossible: isAtWork,
    fact: 'agent.interrupted',
  }),
);
