import { z } from 'zod';
import { AgentRole } from '#contract/agent/agent.ts';
import { ArchivePolicy } from '#contract/agent/archive-policy.ts';
import { OnBoot } from '#contract/agent/on-boot.ts';
import { OnUsageLimit } from '#contract/agent/park.ts';
import { Notify } from '#contract/fact/notify.ts';
import { Grants, Isolation } from '#contract/host/isolation.ts';
import { enumeration, explicitBoolean, message, text } from './message.ts';

/** Shell scripts that run for each agent, in its directory. Empty means none. Only people see them. */
export const WorkflowScripts = message('workflow.v1.WorkflowScripts', {
  setup: [
    1,
    text(50_000),
    'Shell script that runs in each new worktree before the CLI starts. A failure fails the launch.',
  ],
  teardown: [2, text(50_000), 'Shell script that runs in a worktree before it is removed.'],
  onIdle: [3, text(50_000), 'Shell script that runs in an agent’s directory whenever it becomes idle.'],
  onWaiting: [
    4,
    text(50_000),
    'Shell script that runs in an agent’s directory whenever it starts to wait for a person.',
  ],
});
export type WorkflowScripts = z.infer<typeof WorkflowScripts>;

/** A problem of a pull request that muster mails to the pull request's agent. */
export const PullRequestMatter = enumeration('workflow.v1.PullRequestMatter', {
  PULL_REQUEST_MATTER_UNSPECIFIED: 'Not given; never stored.',
  PULL_REQUEST_MATTER_FAILING_CHECKS: 'A check on its head fails.',
  PULL_REQUEST_MATTER_REQUESTED_CHANGES: 'A reviewer asks for changes.',
  PULL_REQUEST_MATTER_CONFLICT: 'It no longer merges cleanly into its base.',
});
export type PullRequestMatter = z.infer<typeof PullRequestMatter>;

/**
 * What agents of a workflow may launch besides agents like themselves, which have the same workflow, harness, flags and
 * host, in their directory or the workflow's. Each list adds to that; an empty one adds nothing.
 */
export const AgentsMayLaunch = message('workflow.v1.AgentsMayLaunch', {
  harnesses: [
    1,
    z.array(text(40).regex(/^[a-z0-9-]+$/, 'may contain only a to z, 0 to 9 and -')).max(100),
    'CLIs other than their own. `shell` lets them run any command.',
  ],
  hosts: [2, z.array(text(200).min(1)).max(100), 'Hosts other than their own, by id or name.'],
  flags: [
    3,
    z.array(text(500)).max(100),
    'Flags other than their own. Each entry is all the flags of one launch, compared word by word; an empty entry allows a launch without flags.',
  ],
  directories: [
    4,
    z.array(text(4096).min(1)).max(100),
    'Directories other than their own, with everything below and the worktrees of their repositories. Absolute, or beginning with `~`.',
  ],
  workflowIds: [
    5,
    z.array(text(200).min(1)).max(100),
    'Workflows other than their own, each with its own harness, flags, host and directory.',
  ],
});
export type AgentsMayLaunch = z.infer<typeof AgentsMayLaunch>;

/** What an agent is launched into: a directory, a CLI with its flags, context for the prompt, and scripts. */
export const Workflow = message('workflow.v1.Workflow', {
  id: [1, z.string(), 'The id of the workflow in every other call: `wfl_` and a ULID.'],
  name: [2, z.string(), 'Its name, unique among workflows. At most 200 characters.'],
  cwd: [
    3,
    z.string(),
    'The directory that agents start in, or whose repository their worktrees are made from. Absolute; in a request it may begin with `~`.',
  ],
  flags: [4, z.string(), 'The flags that the CLI is started with.'],
  harness: [
    5,
    z.string(),
    'Which CLI its agents run, such as `claude`. Unset: the launching agent’s own, else the host’s first.',
  ],
  context: [6, z.string(), 'Text that precedes every prompt.'],
  provisionEnabled: [
    7,
    explicitBoolean(),
    'Whether each agent gets its own worktree and branch. Unset: if `cwd` is in a Git repository.',
  ],
  role: [8, AgentRole, 'What its agents are launched to do, unless the launch names a role.'],
  baseBranch: [9, z.string(), 'The branch that worktrees start from. Empty: the repository’s default branch.'],
  host: [10, z.string(), 'The host that agents are placed on, by id or name. Empty: muster chooses.'],
  scripts: [11, WorkflowScripts, 'Shell scripts that run for each agent. Shown to people only.'],
  copyFiles: [
    12,
    z.array(z.string()),
    'Globs, relative to the repository, of files copied into each new worktree, such as `.env`.',
  ],
  createdAt: [13, z.string(), 'When it was created: RFC 3339, UTC.'],
  updatedAt: [14, z.string(), 'When it was last changed: RFC 3339, UTC.'],
  notify: [
    15,
    Notify,
    'Whom to notify of events of its agents, in addition to the person’s own setting. Shown to people only.',
  ],
  mailOnPullRequest: [
    16,
    z.array(PullRequestMatter),
    'Which problems of its pull request an agent gets mail about, once per commit. Empty: none.',
  ],
  repositories: [
    18,
    z.array(z.string()),
    'Web addresses of the repositories whose pull requests are read for its agents: the remotes of `cwd`, and those that a person confirmed.',
  ],
  unconfirmedRepositories: [
    19,
    z.array(z.string()),
    'Web addresses of repositories that its agents push to but no person has confirmed: muster reads nothing there. At most 20.',
  ],
  agentsMayLaunch: [
    17,
    AgentsMayLaunch,
    'What its agents may launch, prompt and retry, besides agents like themselves.',
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
  profileId: [
    30,
    z.string(),
    'The profile that its agents get variables, secrets and an account from. Unset: none. Shown to people only.',
  ],
  hostSelector: [
    22,
    z.array(z.string()),
    'Labels that the host of its agents must have, each as `key=value`; `name=build-2` is a host’s name. Empty: no condition.',
  ],
  isolation: [23, Isolation, 'What separates its agents and scripts from their host. Unset: nothing.'],
  onUsageLimit: [
    31,
    OnUsageLimit,
    'What happens to its agents once their account has reached its usage limit. Unset: they are parked.',
  ],
  onBoot: [
    32,
    OnBoot,
    'What happens to its agents once a restart of their computer has ended their windows. Unset: nothing.',
  ],
  grants: [24, Grants, 'What its isolated agents and scripts may reach.'],
  archivePolicy: [40, ArchivePolicy, 'What is deleted of its archived agents, and when. Unset: nothing.'],
});
export type Workflow = z.infer<typeof Workflow>;
