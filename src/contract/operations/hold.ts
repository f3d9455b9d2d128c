import { agentId, changedAgent } from '#contract/agent/agent.ts';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;

export const holdAgent = operation({
  ...service,
  method: 'HoldAgent',
  summary: 'Takes an agent over: interrupts its turn and leaves its pane and worktree alone until unhold_agent.',
  guidance:
    'While heldAt is set, muster types nothing into the pane, rings no doorbell, runs no script, and refuses to archive, ' +
    'restore or delete the agent; its mail waits. A turn that cannot be interrupted continues, and stateReason says so. Its window ' +
    'stays: a person may attach to it and type. An agent can be held once it is set up. Holding a held agent changes nothing.',
  request: message('agent.v1.HoldAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.HoldAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const unholdAgent = operation({
  ...service,
  method: 'UnholdAgent',
  summary: 'Gives a held agent back: its mail and doorbells are delivered when it is next idle.',
  guidance: 'This types nothing: prompt the agent to continue. An agent that is not held does not change.',
  request: message('agent.v1.UnholdAgentRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.UnholdAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: true,
  roles: [],
});
