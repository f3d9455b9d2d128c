import { agentId, changedAgent, ownAgentId } from '#contract/agent/agent.ts';
import { AgentResult, maxResult } from '#contract/agent/result.ts';
import { message, required, words } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const everyRole = ['implementer', 'reviewer', 'orchestrator'] as const;
const service = { package: 'agent.v1', service: 'AgentService' } as const;

export const reportResult = operation({
  ...service,
  method: 'ReportResult',
  summary: 'Reports the result of your work to whoever launched you.',
  guidance: 'The last one counts. If your launch gave a schema, JSON that fits it; else any text.',
  request: message('agent.v1.ReportResultRequest', {
    agentId: [1, ...ownAgentId],
    result: [
      2,
      required(words(maxResult).min(1)),
      'What you found or made, complete: its reader may see nothing else.',
    ],
  }),
  response: message('agent.v1.ReportResultResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: true,
  roles: everyRole,
});

export const getResult = operation({
  ...service,
  method: 'GetResult',
  summary: 'Returns the result that an agent reported.',
  guidance: 'Of agents that you launched, your children and yourself; an orchestrator reads all. not_found: none yet.',
  request: message('agent.v1.GetResultRequest', { agentId: [1, ...agentId] }),
  response: message('agent.v1.GetResultResponse', { result: [1, AgentResult, 'The last result that it reported.'] }),
  access: 'read',
  idempotent: true,
  roles: everyRole,
});
