import { z } from 'zod';
import { Agent, AgentRole } from '#contract/agent/agent.ts';
import { maxResultSchema } from '#contract/agent/result.ts';
import { budgetAmount } from '#contract/budget/budget.ts';
import { HostSelector } from '#contract/host/host-setting.ts';
import { Isolation } from '#contract/host/isolation.ts';
import { idempotencyKey } from '#contract/idempotency-key.ts';
import { enumeration, explicitBoolean, int64, message, required, text, words } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

export const CreateAgentRequest = message('agent.v1.CreateAgentRequest', {
  prompt: [1, required(words(50_000).min(1)), 'The briefing it starts with.'],
  title: [2, text(200), 'Its name. Unset: muster chooses one.'],
  dir: [3, text(4096), 'Start directory, absolute or beginning with `~`. Unset: the workflow’s.'],
  flags: [4, text(500), 'Flags of its CLI. Unset: the workflow’s, or none if `harness` is not the workflow’s.'],
  workflowId: [5, required(z.string().min(1)), 'Workflow to launch into. It sets directory, flags and context.'],
  harness: [
    6,
    text(40).regex(/^[a-z0-9-]*$/, 'may contain only a to z, 0 to 9 and -'),
    'Its CLI. Unset: the workflow’s.',
  ],
  idempotencyKey: [7, ...idempotencyKey],
  provisionEnabled: [
    8,
    explicitBoolean(),
    'Whether it gets a worktree. false: it runs in the directory itself. Unset: as the workflow says.',
  ],
  parentAgentId: [9, z.string(), 'Its parent. Unset: none.'],
  role: [10, AgentRole, 'Its role. Unset: as the workflow says.'],
  host: [11, z.string(), 'Its host. An id or a name. Unset: the workflow’s, or muster chooses.'],
  hostSelector: [
    15,
    HostSelector,
    'Labels of its host: `gpu=yes`. It waits until a host has all of them; `name=build-2` is a host’s name. Unset: the ' +
      'workflow’s, unless `host` is set.',
  ],
  ringOnResult: [
    12,
    z.boolean(),
    'Ring your doorbell at its outcome. That is when it finishes, ends, fails or waits for a person.',
  ],
  withChanges: [
    14,
    z.boolean(),
    'Start with what is uncommitted in `dir`. Its worktree starts from the commit of `dir`, with changed, untracked and ignored files ' +
      'and submodules; of ignored files the smallest first, up to 20,000 and 200 MB in all. Unset: from the workflow’s base branch.',
  ],
  isolation: [16, Isolation, 'Its isolation. Unset: as the workflow says.'],
  profileId: [30, z.string(), 'Its profile. Unset: the workflow’s for people, your own for agents.'],
  resultSchema: [
    31,
    text(maxResultSchema),
    'JSON Schema that its result must fit, as JSON text. Unset: it may report any text.',
  ],
  budgetTurns: [
    60,
    budgetAmount,
    'Turns that it may begin in a day. Then it is held until a person continues it. Unset: any.',
  ],
  budgetWorkMinutes: [61, budgetAmount, 'Minutes that it may work in a day. Then it is held the same way. Unset: any.'],
  clear: [13, z.array(z.enum(['flags'])), 'Fields to leave empty.'],
});
export type CreateAgentRequest = z.infer<typeof CreateAgentRequest>;

const NamedPaths = message('agent.v1.NamedPaths', {
  count: [1, z.int32(), 'How many there are.'],
  names: [2, z.array(z.string()), 'The first three, relative to the checkout.'],
});

const NotCopiedReason = enumeration('agent.v1.NotCopiedReason', {
  NOT_COPIED_REASON_UNSPECIFIED: 'No reason; never sent.',
  NOT_COPIED_REASON_LARGE: 'With it, the copied ignored files would exceed 20,000 or 200 MB.',
  NOT_COPIED_REASON_REPOSITORY: 'It is a Git repository of its own, or a submodule without a commit.',
  NOT_COPIED_REASON_UNREADABLE: 'muster may not read it.',
});

const NotCopied = message('agent.v1.NotCopied', {
  path: [1, z.string(), 'The file or folder, relative to the checkout. A folder ends in a slash.'],
  reason: [2, NotCopiedReason, 'Why it is not copied.'],
  bytes: [3, int64(), 'Its size in bytes, as far as it could be counted in time. Set only if it is too large.'],
});

/** What a new worktree lacks compared with the checkout of its directory. */
export const LeftBehind = message('agent.v1.LeftBehind', {
  changed: [1, NamedPaths, 'Tracked files with uncommitted changes.'],
  untracked: [2, NamedPaths, 'Untracked files that are not ignored.'],
  ignored: [3, NamedPaths, 'Ignored files. A folder that is ignored as a whole counts once.'],
  submodules: [4, NamedPaths, 'Submodules that are checked out.'],
  notCopied: [5, z.array(NotCopied), 'With `withChanges`: what is not copied, the largest first, at most ten.'],
  notCopiedCount: [6, z.int32(), 'How many paths are not copied.'],
});
export type LeftBehind = z.infer<typeof LeftBehind>;

export const CreateAgentResponse = message('agent.v1.CreateAgentResponse', {
  agent: [1, Agent, 'The launched agent, or the one that the same idempotencyKey launched before.'],
  leftBehind: [
    2,
    LeftBehind,
    'What is in its directory and will not be in its worktree. Unset: nothing, it gets no worktree, or it could not be determined in time.',
  ],
});

export const createAgent = operation({
  package: 'agent.v1',
  service: 'AgentService',
  method: 'CreateAgent',
  summary: 'Launches a background agent with an opening prompt into a workflow.',
  guidance:
    'workflowId is your own. For one that reads the tree you are in, ' +
    'pass your own id (SERVICE_AGENT_ID) as parentAgentId: it runs in your directory, takes neither dir nor ' +
    'provisionEnabled, and ends with you. ' +
    'To retry safely, send the same idempotencyKey. You may launch agents like ' +
    'yourself; others only by agentsMayLaunch (else permission_denied). ' +
    'resource_exhausted: stop and tell the person.',
  request: CreateAgentRequest,
  response: CreateAgentResponse,
  access: 'write',
  asks: true,
  idempotent: false,
  roles: ['implementer', 'reviewer', 'orchestrator'],
  peopleOnly: { fields: [], guidance: 'Children and orchestrators have no children.' },
});
