import { z } from 'zod';
import { Grants, Runtime } from '#contract/host/isolation.ts';
import { Sighting } from '#contract/pane/sighting.ts';
import { WorkflowScripts } from '#contract/workflow.ts';

/**
 * What an agent is launched with. Fixed at its creation, except for the name, and for what a retry with the current
 * workflow replaces.
 */
export const Launch = z.object({
  name: z.string(),
  harness: z.string(),
  flags: z.string(),
  /** Whether its flags come from its workflow, and not from the launch request. */
  workflowFlags: z.literal(true).optional(),
  /** The requested directory, resolved: the agent runs in it, or in a worktree that is made from it. */
  cwd: z.string(),
  /** The whole briefing: the workflow's context, the instructions for a reviewer, and the prompt. */
  briefing: z.string(),
  /** Whether it gets its own worktree and branch. */
  provision: z.boolean(),
  baseBranch: z.string().optional(),
  /** Whether the worktree starts from the commit of `cwd` with its uncommitted changes, not from the base branch. */
  withChanges: z.literal(true).optional(),
  copyFiles: z.array(z.string()),
  scripts: WorkflowScripts,
  /** Whether an agent launched it: its path must then still lead to the directory that was checked. */
  launchedByAgent: z.literal(true).optional(),
  /** The git directory that its worktree must come from, if an agent named the directory. */
  repository: z.string().optional(),
  /** Further tools that its CLI may call without asking a person. */
  preApprovedTools: z.array(z.string()).optional(),
  /** Variables of its workflow, each as `NAME` or `NAME=value`. */
  environment: z.array(z.string()).optional(),
  /** What separates it from its host; absent if nothing does. */
  isolation: Runtime.optional(),
  /** Whether the launch request says so, and not its workflow. */
  isolationRequested: z.literal(true).optional(),
  /** What it may reach, if it is isolated. */
  grants: Grants.optional(),
  /** The profile that it gets variables, secrets and an account from, and whether its workflow named that profile. */
  profileId: z.string().optional(),
  workflowProfile: z.literal(true).optional(),
  /** The conversation id that its CLI is started with, if the CLI accepts one: a UUID. */
  sessionId: z.string(),
});
export type Launch = z.infer<typeof Launch>;

/** An effect that a committed decision requested and that is not done yet. */
export const PendingEffect = z.object({
  /** The idempotency key: agent, version of the decision, position in it. */
  key: z.string(),
  kind: z.string(),
  params: z.record(z.string(), z.unknown()),
  /** The span that caused it, as a W3C traceparent, if traces are on. */
  trace: z.string().optional(),
});
export type PendingEffect = z.infer<typeof PendingEffect>;

/** A doorbell for the agent's host to ring, with how often each cause raised it. */
export const Bell = z.object({ id: z.string(), causes: z.record(z.string(), z.int()) });
export type Bell = z.infer<typeof Bell>;

/** A machine's snapshot, and the version of its context's shape if that has ever changed. */
const Snapshot = z.object({ value: z.unknown(), context: z.unknown(), version: z.int().optional() });

/** An agent as its actor knows it. The actor can be rebuilt from this alone. */
export const AgentRecord = z.object({
  id: z.string(),
  /** The root of its family: its parent's id, or its own. */
  family: z.string(),
  hostId: z.string(),
  /** Grows when the agent is placed again. Writes with an older epoch are refused. */
  epoch: z.int(),
  /** Grows with every commit. A commit names the version that it was decided on. */
  version: z.int(),
  /** The machine's persisted snapshot. */
  snapshot: Snapshot,
  launch: Launch,
  bell: Bell.optional(),
  /** In the order of the requests. */
  effects: z.array(PendingEffect),
});
export type AgentRecord = z.infer<typeof AgentRecord>;

/** What a decision commits, atomically. */
export const AgentCommit = z.object({
  agentId: z.string(),
  epoch: z.int(),
  /** The version that was decided on. */
  version: z.int(),
  snapshot: Snapshot,
  /** The requested effects, in order. */
  effects: z.array(z.object({ kind: z.string(), params: z.record(z.string(), z.unknown()) })),
  /** Keys of effects that are done or no longer wanted. */
  done: z.array(z.string()),
  facts: z.array(z.object({ kind: z.string(), detail: z.record(z.string(), z.unknown()) })),
  /** Deadlines by name: milliseconds from now, or null to remove one. */
  deadlines: z.record(z.string(), z.int().nullable()),
  /** The event that was decided, without the sighting; absent if nothing was decided. */
  event: z.looseObject({ type: z.string() }).optional(),
  /** What was read from the pane, if that caused the decision. Stored with the transition of the state. */
  sighting: Sighting.optional(),
});
export type AgentCommit = z.infer<typeof AgentCommit>;
