import type { AskingScope } from '#actors/registry/host/host-scope.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { answerAgent } from '#contract/operations/steering.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { isAnswerable } from '#machines/agent/agent-view.ts';
import { steer } from './steering.ts';

/** Has a question on an agent's screen answered. */
export const answerAgentHandler = handler(answerAgent, ({ agentId, screenDigest, keys }, caller, scope: AskingScope) =>
  steer(scope, caller, {
    method: answerAgent.method,
    call: hostCalls.answer,
    request: { agentId, screenDigest, keys },
    isPossible: isAnswerable,
    fact: 'agent.answered',
    detail: { keys },
  }),
);
