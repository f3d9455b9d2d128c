import { z } from 'zod';
import { AgentRow } from '#contract/agent/agent-row.ts';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextPageToken, paging, textView } from '#contract/page.ts';

const ListAgentsRequest = message('agent.v1.ListAgentsRequest', {
  pagination: [1, ...paging],
  archived: [2, z.boolean(), 'true: only archived agents. Unset: all others.'],
  view: [3, ...textView],
});

const ListAgentsResponse = message('agent.v1.ListAgentsResponse', {
  agents: [1, z.array(AgentRow), 'One page, most recently updated first.'],
  nextPageToken: [2, ...nextPageToken],
});

export const listAgents = operation({
  package: 'agent.v1',
  service: 'AgentService',
  method: 'ListAgents',
  summary: 'Lists agents, including those whose CLI has ended, most recently updated first.',
  guidance: 'Long prompts are cut and promptTruncated is set. archived: only archived agents.',
  request: ListAgentsRequest,
  response: ListAgentsResponse,
  access: 'read',
  idempotent: true,
  roles: ['implementer', 'reviewer', 'orchestrator'],
});
