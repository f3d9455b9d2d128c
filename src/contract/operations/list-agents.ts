import { z } from 'zod';
import { AgentRow } from '../agent-row.ts';
import { message } from '../message.ts';
import { operation } from '../operation.ts';
import { Pagination, View } from '../page.ts';

const ListAgentsRequest = message('agent.v1.ListAgentsRequest', {
  pagination: [1, Pagination],
  archived: [2, z.boolean()],
  view: [3, View],
});

const ListAgentsResponse = message('agent.v1.ListAgentsResponse', {
  agents: [1, z.array(AgentRow)],
  nextPageToken: [2, z.string()],
});

export const listAgents = operation({
  package: 'agent.v1',
  service: 'AgentService',
  method: 'ListAgents',
  summary: 'Lists agents, live and dormant, most recently updated first.',
  guidance:
    'Long prompts are cut to their opening and promptTruncated is set; VIEW_FULL returns them whole and makes a large ' +
    'reply. archived lists archived agents and only those. Pass nextPageToken back as pagination.cursor.',
  request: ListAgentsRequest,
  response: ListAgentsResponse,
  access: 'read',
  idempotent: true,
  roles: ['implementer', 'reviewer', 'orchestrator'],
});
