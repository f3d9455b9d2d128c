import type { PermitScope } from '#actors/registry/host/host-scope.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { refuseCommand } from '#actors/registry/rights/command-prompt.ts';
import { checkMayWorkFor } from '#actors/registry/rights/steering-rights.ts';
import { promptAgent } from '#contract/operations/steering.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { isAtWork } from '#machines/agent/agent-view.ts';
import { steer } from './steering.ts';

/** Types a prompt into an agent's pane. */
export const promptAgentHandler = handler(promptAgent, ({ agentId, prompt }, caller, scope: PermitScope) =>
  steer(scope, caller, {
    method: promptAgent.method,
    call: hostCalls.prompt,
    request: { agentId, text: prompt },
    check: async (tables, agent) => {
      await checkMayWorkFor(tables, caller, agent);
      refuseCommand(caller, scope.harnesses, agent.launch.harness, prompt);
    },
    isPossible: isAtWork,
    fact: 'agent.prompted',
    detail: { characters: [...prompt].length },
  }),
);
