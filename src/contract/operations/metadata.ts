import { z } from 'zod';
import { changedAgent, ownAgentId } from '#contract/agent/agent.ts';
import { message, required, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

/** How many facts an agent may keep about its work. */
export const maxMetadata = 50;

const MetadataEntry = message('agent.v1.MetadataEntry', {
  key: [
    1,
    required(
      z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/, 'is not a key: letters, digits and . _ : / - only, at most 100'),
    ),
    'What the fact is about, such as `ticket`.',
  ],
  value: [2, text(2_000), 'The fact. Empty removes the key.'],
});

export const recordMetadata = operation({
  package: 'agent.v1',
  service: 'AgentService',
  method: 'RecordMetadata',
  summary: 'Records facts about an agent’s own work on its row, such as the ticket it implements.',
  guidance:
    'For an agent about itself: agentId may be omitted. Sets each given key; an empty value removes it; other keys stay.',
  request: message('agent.v1.RecordMetadataRequest', {
    agentId: [1, ...ownAgentId],
    metadata: [2, required(z.array(MetadataEntry).min(1).max(maxMetadata)), 'Facts to add, replace or remove.'],
  }),
  response: message('agent.v1.RecordMetadataResponse', { agent: [1, ...changedAgent] }),
  access: 'write',
  idempotent: true,
  roles: ['implementer', 'reviewer', 'orchestrator'],
});
