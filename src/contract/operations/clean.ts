import { z } from 'zod';
import { CleanedAgent } from '#contract/agent/cleaned-agent.ts';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextPageToken, paging } from '#contract/page.ts';

/** How many agents one call names. */
const maxNamed = 200;

export const cleanAgents = operation({
  package: 'agent.v1',
  service: 'AgentService',
  method: 'CleanAgents',
  summary: 'Deletes what archived agents no longer need on disk, and says why it keeps the rest.',
  guidance:
    'First the build folders that their workflow names and Git ignores, then worktrees whose work is pushed or in the base branch and ' +
    'that have nothing uncommitted, untracked or stashed. Branches stay, and restore_agent makes the worktree again. dryRun only ' +
    'says what would be deleted. A host that does not answer is named; nothing is recorded of it then, so call again.',
  request: message('agent.v1.CleanAgentsRequest', {
    agentIds: [1, z.array(z.string()).max(maxNamed), 'Only these agents, by id. Empty: all archived ones.'],
    workflowId: [2, z.string(), 'Only agents of this workflow.'],
    dryRun: [3, z.boolean(), 'true: delete nothing.'],
    pagination: [4, ...paging],
  }),
  response: message('agent.v1.CleanAgentsResponse', {
    agents: [1, z.array(CleanedAgent), 'The archived agents that had something on disk, on this page.'],
    nextPageToken: [2, ...nextPageToken],
  }),
  access: 'write',
  idempotent: true,
  destructive: true,
  roles: [],
});
