import { z } from 'zod';
import { AgentSummary } from '#contract/agent/agent-summary.ts';
import { Fact } from '#contract/fact/fact.ts';
import { message, required, timestamp } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextPageToken, paging } from '#contract/page.ts';

/** How many facts of the installation a summary has. */
export const maxSummaryFacts = 100;

export const summarizeAgents = operation({
  package: 'agent.v1',
  service: 'AgentService',
  method: 'SummarizeAgents',
  summary: 'Summarizes what happened to each agent since a time.',
  guidance: '',
  request: message('agent.v1.SummarizeAgentsRequest', {
    since: [1, required(timestamp()), 'When the time begins: RFC 3339.'],
    pagination: [2, ...paging],
  }),
  response: message('agent.v1.SummarizeAgentsResponse', {
    agents: [1, z.array(AgentSummary), 'One page, most recently updated first.'],
    nextPageToken: [2, ...nextPageToken],
    facts: [
      3,
      z.array(Fact),
      'What happened to accounts, budgets, hosts and backups, and restores, oldest first: the newest 100, on the first page and for people alone.',
    ],
    factsForgotten: [4, z.boolean(), 'Whether facts since then are no longer kept, so that counts are too low.'],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
  peopleOnly: {
    fields: ['facts'],
    guidance: 'Agents archived since then are included. facts are about the installation.',
  },
});
