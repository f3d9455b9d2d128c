import { z } from 'zod';
import { enumeration, message, required } from '#contract/message.ts';
import { ReviewTreeStanding } from '#contract/review/review-thread.ts';
import { AgentState } from './agent-state.ts';

/** What an agent was launched to do. */
export const AgentRole = enumeration('agent.v1.AgentRole', {
  AGENT_ROLE_UNSPECIFIED: 'Not given: an agent takes the role of its workflow.',
  AGENT_ROLE_IMPLEMENTER: 'Writes work of its own, usually in a worktree and on a branch of its own.',
  AGENT_ROLE_REVIEWER: 'Reads the work of its parent and comments on it.',
  AGENT_ROLE_ORCHESTRATOR: 'Launches and follows other agents, and has no children.',
});
export type AgentRole = z.infer<typeof AgentRole>;

/** A fact that an agent recorded about its own work. */
export const AgentMetadata = message('agent.v1.AgentMetadata', {
  key: [1, z.string(), 'What the fact is about, such as `ticket`: letters, digits and `. _ : / -`, at most 100.'],
  value: [2, z.string(), 'What the agent recorded under the key, at most 2,000 characters.'],
  recordedAt: [3, z.string(), 'When the agent last wrote this key: RFC 3339, UTC.'],
});

/** How much an agent's worktree differs from its base. */
export const DiffSize = message('agent.v1.DiffSize', {
  filesChanged: [1, z.int32(), 'How many files differ, counting new and removed ones.'],
  additions: [2, z.int32(), 'How many lines were added. Binary files count none.'],
  deletions: [3, z.int32(), 'How many lines were removed. Binary files count none.'],
});
export type DiffSize = z.infer<typeof DiffSize>;

/** Why something failed for an agent, apart by its parts. What a program wrote is given to people alone. */
export const AgentFault = message('agent.v1.AgentFault', {
  summary: [1, z.string(), 'What failed and how, such as `preparing: the setup script ended with 1`.'],
  errorLine: [
    2,
    z.string(),
    'The line of `output` that says most about why, as printable text of at most 200 characters. A guess: decide nothing by it.',
  ],
  output: [3, z.string(), 'The end of what the script wrote, or the last rows of the screen that the CLI left.'],
});
export type AgentFault = z.infer<typeof AgentFault>;

/** One agent, whether its CLI runs or has ended. Timestamps are RFC 3339 in UTC. */
export const Agent = message('agent.v1.Agent', {
  id: [1, z.string(), 'Names the agent in every other call and in mail: `agt_` and a ULID.'],
  name: [2, z.string(), 'What people call it, also the name of its window. Unique among agents that are not archived.'],
  cwd: [3, z.string(), 'The directory it runs in, absolute. Its own worktree, if it has one.'],
  flags: [4, z.string(), 'Command-line flags that its CLI was started with.'],
  prompt: [5, z.string(), 'The briefing it was launched with, or only its opening when `promptTruncated` is true.'],
  paneId: [6, z.string(), 'The pane its CLI runs in, as tmux numbers it, such as `%3`. Unset without a pane.'],
  state: [7, AgentState, 'What the service last decided that it is doing, from the end of its pane.'],
  sessionId: [8, z.string(), 'The CLI’s own conversation, which a restore resumes. Unset until the CLI reports it.'],
  harness: [9, z.string(), 'Which CLI it runs, such as `claude` or `shell`.'],
  workflowId: [10, z.string(), 'The workflow it belongs to, whose context it was launched with.'],
  createdAt: [11, z.string(), 'When it was launched: RFC 3339, UTC.'],
  archivedAt: [12, z.string(), 'When it was archived: RFC 3339, UTC. Unset while it is not.'],
  scheduleId: [13, z.string(), 'The schedule that launched it. Unset if a person or an agent did.'],
  alive: [14, z.boolean(), 'Whether its pane exists. Unset while its host is lost, since nobody can say.'],
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
  worktreeRemoved: [22, z.boolean(), 'Whether its worktree was removed. Its record stays.'],
  sequenceInProgress: [23, z.boolean(), 'Whether a merge, rebase or cherry-pick is half done in its checkout.'],
  failedRun: [24, z.boolean(), 'Whether a script that ran for it failed and nobody has acknowledged that.'],
  failedRunLog: [25, z.int32(), 'The run that failed, as get_run_log takes it. Unset unless `failedRun` is true.'],
  stateChangedAt: [26, z.string(), 'When `state` last changed: RFC 3339, UTC.'],
  reportedReason: [27, z.string(), 'What its own CLI last reported. It never replaces `state`.'],
  role: [28, AgentRole, 'What it was launched to do, which decides what its briefing says and which tools it has.'],
  promptTruncated: [29, z.boolean(), 'Whether `prompt` holds only its first 200 characters.'],
  treeStanding: [
    30,
    ReviewTreeStanding,
    'How its worktree compared with the round of `treeStandingSha` when it was last measured.',
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
  stateReason: [34, z.string(), 'Why its launch or clean-up failed, or what its pane shows beyond `state`.'],
  hostId: [35, z.string(), 'The host it was placed on: `hst_` and a ULID.'],
  waitingFor: [
    36,
    z.string(),
    'What its screen asks a person, on one line of at most 200 characters. Empty unless it waits.',
  ],
  lastKnownAt: [
    37,
    z.string(),
    'Of an agent on a lost host, when `state` was last known: RFC 3339, UTC. Unset otherwise.',
  ],
  task: [
    39,
    z.string(),
    'The first line of what it was asked to do, without its workflow’s context and its role’s part, at most 200 characters.',
  ],
  diff: [
    38,
    DiffSize,
    'How much its own worktree, with uncommitted files, differed from its base when its host last measured it. Unset if it has none or nothing differs.',
  ],
  deleting: [40, z.boolean(), 'Whether it is being deleted.'],
  refusedDeletion: [
    41,
    z.string(),
    'Why its last deletion was refused, which changed nothing of it. Unset once it works on, or is deleted, archived or restored.',
  ],
  fault: [42, AgentFault, 'What stands behind `stateReason`, if something failed and left a word. Unset otherwise.'],
  endedAt: [
    44,
    z.string(),
    'When its host found that its CLI had ended: RFC 3339, UTC. Unset while it runs, and while it is archived.',
  ],
  windowLost: [
    45,
    z.boolean(),
    'Whether its CLI ended because its terminal did, as after a crash or restart of the machine: restore_agent resumes it.',
  ],
  turns: [
    46,
    z.int32(),
    'How many turns its CLI has finished: how often it was seen at work and then at rest. Unset if unknown, as of agents older than the count.',
  ],
  harnessVersion: [
    47,
    z.string(),
    'Version that its CLI reported when its window was opened, such as `2.1.329`. Unset if it reported none.',
  ],
  asksUnseen: [
    48,
    z.boolean(),
    'Whether its CLI reports that it asks a person, while its screen shows no question: a person should look.',
  ],
  failedRunFault: [43, AgentFault, 'How that run failed, without its output. Unset unless `failedRun` is true.'],
});
export type Agent = z.infer<typeof Agent>;

/** The field that names an agent. */
export const agentId = [required(z.string().min(1)), 'The agent, by its id: `agt_` and a ULID.'] as const;

/** The same if an agent that calls may leave it out. */
export const ownAgentId = [z.string(), 'The agent, by its id. Unset: the caller.'] as const;

/** The same if a reviewer that calls may leave it out. */
export const reviewedAgentId = [z.string(), 'Whose work; unset: yours, or your parent’s to review.'] as const;

/** The field of an answer that holds an agent. */
export const changedAgent = [Agent, 'The agent after the call.'] as const;
