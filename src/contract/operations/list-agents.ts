import { z } from 'zod';
import { AgentRow } from '#contract/agent/agent-row.ts';
import { message } from '../message.ts';
import { operation } from '../operation.ts';
import { nextPageToken, paging, textView } from '../page.ts';

const ListAgentsRequest = message('agent.v1.ListAgentsRequest', {
  pagination: [1, ...paging],
  archived: [2, z.boolean(), 'true: archived agents only; unset: all others.'],
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
  summary: 'Lists agents, live and dormant, most recently updated first.',
  guidance:
    'Long prompts are cut to their opening and promptTruncated is set; VIEW_FULL returns them whole and makes a large ' +
    'reply. archived lists archived agents and only those.',
  request: ListAgentsRequest,
  response: ListAgentsResponse,
  access: 'read',
  idempotent: true,
  roles: ['implementer', 'reviewer', 'orchestrator'],
});
