import { z } from 'zod';
import { Agent, AgentRole } from '#contract/agent/agent.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { explicitBoolean, message, required, text } from '../message.ts';
import { operation } from '../operation.ts';

export const CreateAgentRequest = message('agent.v1.CreateAgentRequest', {
  prompt: [1, required(text(50_000).min(1)), 'The briefing it starts with.'],
  title: [2, text(200), 'Its name in lists; unset: one is made.'],
  dir: [3, text(4096), 'Start directory, absolute or beginning with `~`. Unset: the workflow’s own.'],
  flags: [4, text(500), 'Command-line flags of its CLI. Unset: the workflow’s own.'],
  workflowId: [5, required(z.string().min(1)), 'Workflow to launch into, which gives directory, flags and context.'],
  harness: [
    6,
    text(40).regex(/^[a-z0-9-]*$/, 'may hold only a to z, 0 to 9 and -'),
    'Which CLI to run. Unset: the workflow’s own.',
  ],
  idempotencyKey: [7, ...idempotencyKey],
  provisionEnabled: [
    8,
    explicitBoolean(),
    'false: no worktree, it runs in the directory itself. Unset: as the workflow says.',
  ],
  parentAgentId: [9, z.string(), 'The agent to attach it to as a child. Unset: it stands alone.'],
  role: [10, AgentRole, 'What it is for; unset: as the workflow says.'],
  host: [11, z.string(), 'Machine to place it on, by id or name. Unset: the workflow’s own, or muster chooses.'],
  ringOnResult: [
    12,
    z.boolean(),
    'Whether your doorbell is raised each time it finishes, fails or begins to wait for a person.',
  ],
});
export type CreateAgentRequest = z.infer<typeof CreateAgentRequest>;

export const CreateAgentResponse = message('agent.v1.CreateAgentResponse', {
  agent: [1, Agent, 'The launched agent, or the one that the same idempotencyKey launched before.'],
});

export const createAgent = operation({
  package: 'agent.v1',
  service: 'AgentService',
  method: 'CreateAgent',
  summary: 'Launches a background agent with an opening prompt into a workflow.',
  guidance:
    'workflowId is your own. For one that reads the tree you are in, ' +
    'pass your own id (SERVICE_AGENT_ID) as parentAgentId: it runs in your directory, takes neither dir nor ' +
    'provisionEnabled, and goes when you go. One that writes work of its own gets none; provisionEnabled false gives it no ' +
    'worktree. Children and orchestrators have no children. dir is absolute or begins with ~. To repeat a call ' +
    'that may have succeeded, send the same idempotencyKey; an agent deleted since is shown as gone. You launch what you ' +
    'are: workflow, harness, flags, host, directory; more only by agentsMayLaunch (else permission_denied). ' +
    'resource_exhausted: stop and tell the person, do not retry. ringOnResult rings you when it finishes, fails or waits ' +
    'for a person.',
  request: CreateAgentRequest,
  response: CreateAgentResponse,
  access: 'write',
  asks: true,
  idempotent: false,
  roles: ['implementer', 'reviewer', 'orchestrator'],
});
