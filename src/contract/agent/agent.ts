import { z } from 'zod';
import { SpentBudget } from '#contract/budget/budget.ts';
import { Isolation } from '#contract/host/isolation.ts';
import { enumeration, int64, message, required } from '#contract/message.ts';
import { ReviewTreeStanding } from '#contract/review/review-thread.ts';
import { AgentState } from './agent-state.ts';
import { AgentEnding } from './ending.ts';
import { Park } from './park.ts';

/** What an agent was launched to do. */
export const AgentRole = enumeration('agent.v1.AgentRole', {
  AGENT_ROLE_UNSPECIFIED: 'Not given: the role of its workflow.',
  AGENT_ROLE_IMPLEMENTER: 'Does work of its own, usually in its own worktree and branch.',
  AGENT_ROLE_REVIEWER: 'Reviews the work of its parent.',
  AGENT_ROLE_ORCHESTRATOR: 'Launches and follows other agents, and has no children.',
});
export type AgentRole = z.infer<typeof AgentRole>;

/** A fact that an agent recorded about its own work. */
export const AgentMetadata = message('agent.v1.AgentMetadata', {
  key: [1, z.string(), 'What the fact is about, such as `ticket`: at most 100 letters, digits and `. _ : / -`.'],
  value: [2, z.string(), 'The fact, at most 2,000 characters.'],
  recordedAt: [3, z.string(), 'When the agent last recorded it: RFC 3339, UTC.'],
});

/** How much an agent's worktree differs from its base. */
export const DiffSize = message('agent.v1.DiffSize', {
  filesChanged: [1, z.int32(), 'How many files differ, including new and removed ones.'],
  additions: [2, z.int32(), 'How many lines were added. Binary files count none.'],
  deletions: [3, z.int32(), 'How many lines were removed. Binary files count none.'],
});
export type DiffSize = z.infer<typeof DiffSize>;

/** Why something failed for an agent. Only people see the output of programs. */
export const AgentFault = message('agent.v1.AgentFault', {
  summary: [1, z.string(), 'What failed and how, such as `preparing: the setup script ended with 1`.'],
  errorLine: [
    2,
    z.string(),
    'The line of `output` that best explains the failure, at most 200 printable characters. It is a guess: do not base decisions on it.',
  ],
  output: [3, z.string(), 'The end of the script’s output, or the last rows of the CLI’s screen.'],
});
export type AgentFault = z.infer<typeof AgentFault>;

/** One agent, whether its CLI runs or has ended. Timestamps are RFC 3339 in UTC. */
export const Agent = message('agent.v1.Agent', {
  id: [1, z.string(), 'The id of the agent in every other call and in mail: `agt_` and a ULID.'],
  name: [2, z.string(), 'Its name, also that of its window. Unique among agents that are not archived.'],
  cwd: [3, z.string(), 'The absolute path of the directory it runs in: its own worktree, if it has one.'],
  flags: [4, z.string(), 'The flags that its CLI was started with.'],
  prompt: [5, z.string(), 'The whole launch briefing, or only its opening when `promptTruncated` is true.'],
  paneId: [6, z.string(), 'The pane its CLI runs in, as tmux numbers it, such as `%3`. Unset without a pane.'],
  state: [7, AgentState, 'What the service last decided that it is doing, from the tail of its pane.'],
  sessionId: [
    8,
    z.string(),
    'The id of the CLI’s own conversation, which a restore resumes. Unset until the CLI reports it.',
  ],
  harness: [9, z.string(), 'Which CLI it runs, such as `claude` or `shell`.'],
  workflowId: [10, z.string(), 'The workflow it belongs to, whose context it was launched with.'],
  createdAt: [11, z.string(), 'When it was launched: RFC 3339, UTC.'],
  archivedAt: [12, z.string(), 'When it was archived: RFC 3339, UTC. Unset if it is not.'],
  scheduleId: [13, z.string(), 'The schedule that launched it. Unset if a person or an agent did.'],
  alive: [14, z.boolean(), 'Whether its pane exists. Unset while its host is lost, because it is unknown then.'],
  metadata: [
    15,
    z.array(AgentMetadata),
    'Facts that it recorded about its own work, such as the ticket it implements.',
  ],
  idempotencyKey: [16, z.string(), 'The key of the call that created it. A repeat of that call returns this agent.'],
  spawnedByAgentId: [17, z.string(), 'The agent that created it. Unset if a person or a schedule did.'],
  parentAgentId: [18, z.string(), 'The agent it is a child of. Unset for a top-level agent.'],
  branch: [19, z.string(), 'The Git branch its worktree is on. Unset without a worktree.'],
  repositoryUrl: [
    20,
    z.string(),
    'Web address of the repository its checkout pushes to. Unset if `origin` is on no forge.',
  ],
  headSha: [21, z.string(), 'The commit that is checked out, in hexadecimal. Unset if Git cannot read it.'],
  worktreeRemoved: [22, z.boolean(), 'Whether its worktree has been removed. Its record stays.'],
  sequenceInProgress: [23, z.boolean(), 'Whether a merge, rebase or cherry-pick is in progress in its checkout.'],
  failedRun: [24, z.boolean(), 'Whether a script that ran for it failed and nobody has acknowledged the failure.'],
  failedRunLog: [25, z.int32(), 'The id of the failed run, as get_run_log takes it. Unset unless `failedRun` is true.'],
  stateChangedAt: [26, z.string(), 'When `state` last changed: RFC 3339, UTC.'],
  reportedReason: [27, z.string(), 'What its own CLI last reported. It does not change `state`.'],
  role: [28, AgentRole, 'What it was launched to do, which decides its part of the briefing and its tools.'],
  promptTruncated: [29, z.boolean(), 'Whether `prompt` holds only its first 200 characters.'],
  treeStanding: [
    30,
    ReviewTreeStanding,
    'How its worktree compared with the round of `treeStandingSha` when last measured.',
  ],
  treeStandingSha: [
    31,
    z.string(),
    'Snapshot commit of the round that `treeStanding` was measured against. Unset before any measurement.',
  ],
  movedSinceRound: [
    32,
    z.string(),
    'Snapshot commit of its newest round, while its worktree differs from it. Unset otherwise.',
  ],
  heldAt: [33, z.string(), 'When a person took it over: RFC 3339, UTC. Unset while nobody holds it.'],
  stateReason: [34, z.string(), 'Why its launch or clean-up failed, or what else its pane shows.'],
  hostId: [35, z.string(), 'The host it was placed on: `hst_` and a ULID. Unset while it waits to be placed.'],
  waitingFor: [
    36,
    z.string(),
    'The question on its screen, on one line of at most 200 characters. Empty unless it waits.',
  ],
  lastKnownAt: [37, z.string(), 'When `state` was last known, if its host is lost: RFC 3339, UTC. Unset otherwise.'],
  hostRemovedAt: [50, z.string(), 'When a person removed its host: RFC 3339, UTC. Unset otherwise.'],
  task: [
    39,
    z.string(),
    'The first line of its prompt, without the workflow’s context and the role’s part: at most 200 characters.',
  ],
  diff: [
    38,
    DiffSize,
    'How much its own worktree, with uncommitted files, differed from its base when last measured. Unset if it has no worktree or nothing differs.',
  ],
  deleting: [40, z.boolean(), 'Whether it is being deleted.'],
  refusedDeletion: [
    41,
    z.string(),
    'Why its last deletion was refused. Unset once it continues to work, or is deleted, archived or restored.',
  ],
  fault: [42, AgentFault, 'Details of `stateReason`, if something failed with output. Unset otherwise.'],
  endedAt: [
    44,
    z.string(),
    'When its host found that its CLI had ended: RFC 3339, UTC. Unset while it runs or is archived.',
  ],
  windowLost: [
    45,
    z.boolean(),
    'Whether its CLI ended because its terminal did, as after a crash or restart of the computer: restore_agent resumes it.',
  ],
  turns: [
    46,
    z.int32(),
    'How many turns its CLI has finished: how often it worked and then came to rest. Unset if it is older than the count.',
  ],
  harnessVersion: [
    47,
    z.string(),
    'The version that its CLI reported at start, such as `2.1.329`. Unset if it reported none.',
  ],
  asksUnseen: [
    48,
    z.boolean(),
    'Whether its CLI reports a question for a person that its screen does not show: a person should look.',
  ],
  queued: [
    49,
    z.boolean(),
    'Whether it waits to be placed: no host takes it yet. `stateReason` says why, and its place in the queue.',
  ],
  movingTo: [
    51,
    z.string(),
    'The name of the host that it moves to, or is to move to once it is at rest. Unset otherwise.',
  ],
  failedMove: [
    52,
    z.string(),
    'Why its last move to another host failed. Unset once it moves again, and if it did not fail.',
  ],
  isolation: [53, Isolation, 'What separates it from its host. Unset: nothing.'],
  refusedConnections: [
    54,
    z.array(z.string()),
    'Destinations that its isolation has refused since its window was opened, such as `example.com:443`: the newest 20.',
  ],
  ending: [55, AgentEnding, 'How its CLI ended. Unset while it runs and has its window.'],
  resultAt: [56, z.string(), 'When it last reported a result, which get_result returns: RFC 3339, UTC. Unset: never.'],
  diskBytes: [
    70,
    int64(),
    'How much disk its own worktree takes, in bytes, with ignored files and without what links lead to. Unset: not measured yet.',
  ],
  diskMeasuredAt: [71, z.string(), 'When that was measured, about once an hour: RFC 3339, UTC.'],
  overBudget: [
    80,
    SpentBudget,
    'The budget that is used up, so that muster types nothing to it until a person continues it. Unset otherwise.',
  ],
  park: [57, Park, 'Why and until when it is parked. Unset if it is not.'],
  failedRunFault: [43, AgentFault, 'How that run failed, without its output. Unset unless `failedRun` is true.'],
});
export type Agent = z.infer<typeof Agent>;

/** The field that names an agent. */
export const agentId = [required(z.string().min(1)), 'The agent, by its id: `agt_` and a ULID.'] as const;

/** The same, optional if an agent calls. */
export const ownAgentId = [z.string(), 'The agent, by its id. Unset: the caller.'] as const;

/** The same, optional if a reviewer or a reviewed agent calls. */
export const reviewedAgentId = [
  z.string(),
  'The agent under review. Unset: you, or your parent if you are its reviewer.',
] as const;

/** The field of an answer that contains the changed agent. */
export const changedAgent = [Agent, 'The agent after the call.'] as const;
