import type { PermitScope } from '#actors/registry/host/host-scope.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { Failure } from '#contract/failure.ts';
import { answerAgent } from '#contract/operations/steering.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { isAnswerable } from '#machines/agent/agent-view.ts';
import { steerAnswered } from './steering.ts';

/** Answers a question on an agent's screen. muster does not store what is typed, because it may be a password. */
export const answerAgentHandler = handler(
  answerAgent,
  async ({ agentId, screenDigest, keys = [], text = '' }, caller, scope: PermitScope) => {
    if (keys.length === 0 && text === '')
      throw new Failure('INVALID_FIELD', 'keys is empty: give at least one key, or a text to type', { field: 'keys' });
    const { agent, done } = await steerAnswered(scope, caller, {
      method: answerAgent.method,
      call: hostCalls.answer,
      request: { agentId, screenDigest, text, keys },
      isPossible: isAnswerable,
      fact: 'agent.answered',
      detail: text === '' ? { keys } : { keys, withText: true },
    });
    return { agent, ...done };
  },
);
