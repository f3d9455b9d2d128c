import { z } from 'zod';
import { AgentRole } from '#contract/agent/agent.ts';
import { Notify } from '#contract/fact/notify.ts';
import { enumeration, explicitBoolean, message, text } from './message.ts';

/** Shell scripts that run at moments of an agent's life, in its directory. Empty means none. Shown to people only. */
export const WorkflowScripts = message('workflow.v1.WorkflowScripts', {
  setup: [
    1,
    text(50_000),
    'Shell script that runs in each new worktree before the CLI starts. A failure fails the launch.',
  ],
  teardown: [2, text(50_000), 'Shell script that runs in a worktree before it is removed.'],
  onIdle: [3, text(50_000), 'Shell script that runs in an agent’s directory whenever it comes to rest.'],
  onWaiting: [
    4,
    text(50_000),
    'Shell script that runs in an agent’s directory whenever it begins to wait for a person.',
  ],
});
export type WorkflowScripts = z.infer<typeof WorkflowScripts>;

/**
 * What of an agent's pull request is mailed to the agent: checks that fail, changes that a reviewer asks for, a
 * conflict.
 */
export const PullRequestMatter = enumeration('workflow.v1.PullRequestMatter', {
  PULL_REQUEST_MATTER_UNSPECIFIED: 'Not given; never stored.',
  PULL_REQUEST_MATTER_FAILING_CHECKS: 'A check on its head fails.',
  PULL_REQUEST_MATTER_REQUESTED_CHANGES: 'A reviewer asks for changes.',
  PULL_REQUEST_MATTER_CONFLICT: 'It no longer merges cleanly into its base.',
});
export type PullRequestMatter = z.infer<typeof PullRequestMatter>;

/**
 * What agents of a workflow may launch beyond what they are themselves: their own workflow, harness, flags and host, in
 * their own directory or the workflow's. Each list adds to that; an empty one adds nothing.
 */
export const AgentsMayLaunch = message('workflow.v1.AgentsMayLaunch', {
  harnesses: [
    1,
    z.array(text(40).regex(/^[a-z0-9-]+$/, 'may hold only a to z, 0 to 9 and -')).max(100),
    'CLIs beside their own. `shell` lets them run any command.',
  ],
  hosts: [2, z.array(text(200).min(1)).max(100), 'Machines beside their own, by id or name.'],
  flags: [
    3,
    z.array(text(500)).max(100),
    'Flags beside their own. Each entry is all the flags of one launch, compared word by word; an empty one means none.',
  ],
  directories: [
    4,
    z.array(text(4096).min(1)).max(100),
    'Paths beside their own, each with all below it and worktrees of its repositories. Absolute, or beginning with `~`.',
  ],
  workflowIds: [
    5,
    z.array(text(200).min(1)).max(100),
    'Workflows beside their own, each with its own harness, flags, host and directory.',
  ],
});
export type AgentsMayLaunch = z.infer<typeof AgentsMayLaunch>;

/** What agents are launched into: where they run, with which CLI and briefing. */
export const Workflow = message('workflow.v1.Workflow', {
  id: [1, z.string(), 'Names the workflow in every other call: `wfl_` and a ULID.'],
  name: [2, z.string(), 'What people call it, unique among workflows. At most 200 characters.'],
  cwd: [
    3,
    z.string(),
    'Directory that agents start in, and whose repository worktrees are made from. Absolute, or beginning with `~` in a request.',
  ],
  flags: [4, z.string(), 'Command-line flags that the CLI is started with.'],
  harness: [
    5,
    z.string(),
    'Which CLI its agents run, such as `claude`. Unset: the host’s first; the launching agent’s own.',
  ],
  context: [6, z.string(), 'Text put before every prompt.'],
  provisionEnabled: [
    7,
    explicitBoolean(),
    'Whether each agent gets a worktree and a branch of its own. Unset: where `cwd` is in a Git repository.',
  ],
  role: [8, AgentRole, 'What its agents are launched to do, unless the launch names a role.'],
  baseBranch: [9, z.string(), 'Branch that worktrees start from. Empty: the repository’s default branch.'],
  host: [10, z.string(), 'Machine that agents are placed on, by id or name. Empty: muster chooses.'],
  scripts: [11, WorkflowScripts, 'Shell scripts that run at certain moments of each agent. Shown to people only.'],
  copyFiles: [
    12,
    z.array(z.string()),
    'Globs, relative to the repository, of files copied into each new worktree, such as `.env`.',
  ],
  createdAt: [13, z.string(), 'When it was made: RFC 3339, UTC.'],
  updatedAt: [14, z.string(), 'When it was last changed: RFC 3339, UTC.'],
  notify: [15, Notify, 'Whom to notify of its agents, beside the person’s own setting. Shown to people only.'],
  mailOnPullRequest: [
    16,
    z.array(PullRequestMatter),
    'What of its pull request an agent is mailed, once for each commit. Empty: nothing.',
  ],
  repositories: [
    18,
    z.array(z.string()),
    'Web addresses whose pull requests are read for its agents: the remotes of `cwd`, and those a person confirmed.',
  ],
  unconfirmedRepositories: [
    19,
    z.array(z.string()),
    'Web addresses that its agents push to and that no person has confirmed: muster reads nothing there. At most 20.',
  ],
  agentsMayLaunch: [
    17,
    AgentsMayLaunch,
    'What its agents may launch, prompt and retry beyond what they are themselves.',
  ],
  preApprovedTools: [
    20,
    z.array(z.string()),
    'Tools, such as `create_agent`, that its agents’ CLIs call without asking a person first.',
  ],
  environment: [
    21,
    z.array(z.string()),
    'Variables for its agents and scripts: `NAME` passes on the host’s own value, `NAME=value` is stored. Shown to people only.',
  ],
});
export type Workflow = z.infer<typeof Workflow>;
