import { z } from 'zod';
import { changedAgent, ownAgentId } from '#contract/agent/agent.ts';
import { message, text, timestamp } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

/** The most characters that a report may have. */
export const longestReport = 500;

/**
 * A conversation id as CLIs make them. It is handed to the CLI as an argument when the agent is resumed, so it may not
 * look like a flag.
 */
const SessionId = z
  .string()
  .regex(/^([A-Za-z0-9][A-Za-z0-9._:-]{0,199})?$/, 'is no conversation id: letters, digits and . _ : - only');

export const reportReason = operation({
  package: 'agent.v1',
  service: 'AgentService',
  method: 'ReportReason',
  summary: 'Records what an agent’s CLI reports about itself.',
  guidance:
    'For an agent about itself: agentId may be omitted. Hooks call it. reason shows as reportedReason; an ' +
    'empty one clears it. sessionId is the CLI’s conversation, which restore_agent resumes; unset: it stays. ' +
    'A report older than the stored one, by reportedAt, changes nothing.',
  request: message('agent.v1.ReportReasonRequest', {
    agentId: [1, ...ownAgentId],
    reason: [2, text(longestReport), 'What the CLI says it is doing. Empty clears it.'],
    sessionId: [3, SessionId, 'The CLI’s conversation, for a later resume. Unset: unchanged.'],
    reportedAt: [4, timestamp(), 'When the CLI said so: RFC 3339. Unset: now.'],
  }),
  response: message('agent.v1.ReportReasonResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: true,
  roles: ['implementer', 'reviewer', 'orchestrator'],
});
