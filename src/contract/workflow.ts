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
});
export type Workflow = z.infer<typeof Workflow>;
