import { agentId, changedAgent } from '#contract/agent/agent.ts';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;

export const holdAgent = operation({
  ...service,
  method: 'HoldAgent',
  summary: 'Takes an agent over: ends its turn and leaves its pane and worktree alone until unhold_agent.',
  guidance:
    'While heldAt is set nothing is typed into the pane, no doorbell rings, no script runs, and archiving, restoring and ' +
    'deleting are refused; mail waits. A turn that cannot be ended continues, and stateReason says so. Its window stays: a ' +
    'person may attach to it and type. Only an agent that has been set up can be held. Holding a held agent changes nothing.',
  request: message('agent.v1.HoldAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.HoldAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const unholdAgent = operation({
  ...service,
  method: 'UnholdAgent',
  summary: 'Gives a held agent back: what waited for it is delivered when it is next idle.',
  guidance: 'It types nothing: prompt the agent to continue. An agent that is not held stays unchanged.',
  request: message('agent.v1.UnholdAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.UnholdAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: true,
  roles: [],
});
