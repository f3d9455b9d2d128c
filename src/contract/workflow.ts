import { z } from 'zod';
import { AgentRole } from './agent.ts';
import { enumeration, explicitBoolean, message, text } from './message.ts';
import { Notify } from './notify.ts';

/** Shell scripts that run at moments of an agent's life, in its directory. Empty means none. Shown to people only. */
export const WorkflowScripts = message('workflow.v1.WorkflowScripts', {
  setup: [1, text(50_000)],
  teardown: [2, text(50_000)],
  onIdle: [3, text(50_000)],
  onWaiting: [4, text(50_000)],
});
export type WorkflowScripts = z.infer<typeof WorkflowScripts>;

/** What of an agent's pull request is mailed to the agent: checks that fail, changes that a reviewer asks for, a conflict. */
export const PullRequestMatter = enumeration('workflow.v1.PullRequestMatter', [
  'PULL_REQUEST_MATTER_UNSPECIFIED',
  'PULL_REQUEST_MATTER_FAILING_CHECKS',
  'PULL_REQUEST_MATTER_REQUESTED_CHANGES',
  'PULL_REQUEST_MATTER_CONFLICT',
]);
export type PullRequestMatter = z.infer<typeof PullRequestMatter>;

/**
 * What agents of a workflow may launch beyond what they are themselves: their own workflow, harness, flags and host, in their own
 * directory or the workflow's. Each list adds to that; an empty one adds nothing.
 */
export const AgentsMayLaunch = message('workflow.v1.AgentsMayLaunch', {
  /** Harnesses beside their own. `shell` lets them run any command. */
  harnesses: [1, z.array(text(40).regex(/^[a-z0-9-]+$/, 'may hold only a to z, 0 to 9 and -')).max(100)],
  /** Hosts beside their own, by id or name. */
  hosts: [2, z.array(text(200).min(1)).max(100)],
  /** Flags beside their own. Each entry is all the flags of one launch and is compared word by word; an empty one means none. */
  flags: [3, z.array(text(500)).max(100)],
  /** Directories beside their own, each with all below it, and worktrees of the repositories there. Absolute or beginning with ~. */
  directories: [4, z.array(text(4096).min(1)).max(100)],
  /** Workflows beside their own, each with its own harness, flags, host and directory. */
  workflowIds: [5, z.array(text(200).min(1)).max(100)],
});
export type AgentsMayLaunch = z.infer<typeof AgentsMayLaunch>;

/** What agents are launched into: where they run, with which CLI, and what they are told. */
export const Workflow = message('workflow.v1.Workflow', {
  id: [1, z.string()],
  name: [2, z.string()],
  /** Absolute directory that agents start in; the repository that worktrees are made from. */
  cwd: [3, z.string()],
  /** Flags the CLI is started with. */
  flags: [4, z.string()],
  harness: [5, z.string()],
  /** Put before every prompt. */
  context: [6, z.string()],
  /** Whether each agent is given a worktree and a branch of its own. Unset means true where cwd is in a git repository. */
  provisionEnabled: [7, explicitBoolean()],
  role: [8, AgentRole],
  /** Branch that worktrees start from; empty takes the repository's default branch. */
  baseBranch: [9, z.string()],
  /** Host that agents are placed on; empty lets muster choose. */
  host: [10, z.string()],
  scripts: [11, WorkflowScripts],
  /** Globs, relative to the repository, of files copied into each new worktree. */
  copyFiles: [12, z.array(z.string())],
  createdAt: [13, z.string()],
  updatedAt: [14, z.string()],
  /** Whom to tell of its agents, beside those whom the person wants told of every agent. Shown to people only. */
  notify: [15, Notify],
  /** What of an agent's pull request is mailed to the agent, once for each commit; empty mails nothing. */
  mailOnPullRequest: [16, z.array(PullRequestMatter)],
  /**
   * Web addresses of the repositories whose pull requests are read and shown for its agents: those that the remotes of cwd named
   * when a person gave it, and those that a person confirmed since.
   */
  repositories: [18, z.array(z.string())],
  /** Those that checkouts of its agents push to and that no person has confirmed: of them nothing is read or shown. At most 20. */
  unconfirmedRepositories: [19, z.array(z.string())],
  /** What its agents may launch, prompt and retry beyond what they are themselves. */
  agentsMayLaunch: [17, AgentsMayLaunch],
  /** Tools that its agents' CLIs call without asking a person, of those that they ask about: `create_agent` and others. */
  preApprovedTools: [20, z.array(z.string())],
  /**
   * Variables that its agents and scripts are given beside what all are: NAME passes on what their host's own environment holds,
   * NAME=value says it, and is stored so. Shown to people only.
   */
  environment: [21, z.array(z.string())],
});
export type Workflow = z.infer<typeof Workflow>;
