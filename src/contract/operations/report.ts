import { z } from 'zod';
import { changedAgent, ownAgentId } from '#contract/agent/agent.ts';
import { message, text, timestamp } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

/** The maximum length of a report, in characters. */
export const longestReport = 500;

/**
 * A CLI's conversation id. A restore passes it to the CLI as an argument, so it must not look like a flag.
 */
const SessionId = z
  .string()
  .regex(/^([A-Za-z0-9][A-Za-z0-9._:-]{0,199})?$/, 'is not a conversation id: letters, digits and . _ : - only');

export const reportReason = operation({
  package: 'agent.v1',
  service: 'AgentService',
  method: 'ReportReason',
  summary: 'Records what an agent’s CLI reports about itself.',
  guidance:
    'For an agent about itself: agentId may be omitted. reason becomes reportedReason; an ' +
    'empty one clears it. sessionId is the CLI’s conversation; unset: unchanged. ' +
    'A report older than the stored one, by reportedAt, is ignored.',
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
  peopleOnly: { fields: [], guidance: 'Hooks call it. restore_agent resumes the conversation.' },
});
