import { z } from 'zod';
import { agentId, changedAgent } from '#contract/agent/agent.ts';
import { explicitBoolean, message, timestamp } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const service = { package: 'agent.v1', service: 'AgentService' } as const;

export const parkAgent = operation({
  ...service,
  method: 'ParkAgent',
  summary:
    'Parks an agent: its doorbells wait. Or changes until when a parked one is, and whether it is then asked to continue.',
  guidance: 'An omitted field stays. Types nothing. Any prompt still reaches it.',
  request: message('agent.v1.ParkAgentRequest', {
    agentId: [1, ...agentId],
    until: [2, timestamp(), 'When it ends: RFC 3339. Unset: unpark_agent ends it.'],
    resume: [3, explicitBoolean(), 'Whether it is asked to continue then, if its screen still shows a limit.'],
  }),
  response: message('agent.v1.ParkAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const unparkAgent = operation({
  ...service,
  method: 'UnparkAgent',
  summary: 'Ends the parking of an agent, or of all agents of its account. Types nothing: prompt it to continue.',
  guidance: 'It is parked again if its screen shows another limit.',
  request: message('agent.v1.UnparkAgentRequest', {
    agentId: [1, ...agentId],
    wholeAccount: [2, z.boolean(), 'Whether all agents of its account are unparked, and firings with it start.'],
  }),
  response: message('agent.v1.UnparkAgentResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: true,
  roles: ['orchestrator'],
});
