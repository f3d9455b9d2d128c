import { z } from 'zod';
import { Sighting } from '#contract/pane/sighting.ts';
import { WorkflowScripts } from '#contract/workflow.ts';

/**
 * What an agent is launched with. Fixed at its creation, except for the name, and for what a retry takes from its
 * workflow again.
 */
export const Launch = z.object({
  name: z.string(),
  harness: z.string(),
  flags: z.string(),
  /** Whether its flags are those of its workflow, and not of the launch itself. */
  workflowFlags: z.literal(true).optional(),
  /** The directory asked for, resolved: the agent's own unless a worktree is provisioned from it. */
  cwd: z.string(),
  /** The whole briefing: the workflow's context, for a reviewer what it is, the prompt. */
  briefing: z.string(),
  /** Whether a worktree and a branch of its own are made. */
  provision: z.boolean(),
  baseBranch: z.string().optional(),
  /** Whether the worktree starts from the commit of `cwd` and its uncommitted changes, in place of the base branch. */
  withChanges: z.literal(true).optional(),
  copyFiles: z.array(z.string()),
  scripts: WorkflowScripts,
  /** Whether an agent launched it: its directory must still be the one that was looked at when it is used. */
  launchedByAgent: z.literal(true).optional(),
  /** The git directory that its worktree must come from, where an agent named the directory. */
  repository: z.string().optional(),
  /** Tools that its CLI may call without asking a person, beside those that none asks about. */
  preApprovedTools: z.array(z.string()).optional(),
  /** Variables of its workflow, each as `NAME` or `NAME=value`. */
  environment: z.array(z.string()).optional(),
  /** The conversation id that a CLI which takes one is started with: a UUID. */
  sessionId: z.string(),
});
export type Launch = z.infer<typeof Launch>;

/** An effect that a committed decision asks for and that is not done yet. */
export const PendingEffect = z.object({
  /** Idempotency key: agent, version of the decision, place in it. */
  key: z.string(),
  kind: z.string(),
  params: z.record(z.string(), z.unknown()),
  /** The span that caused it, as W3C's traceparent, if somebody collects traces. */
  trace: z.string().optional(),
});
export type PendingEffect = z.infer<typeof PendingEffect>;

/** A doorbell that an agent's host is to ring: what has raised it how often, by cause. */
export const Bell = z.object({ id: z.string(), causes: z.record(z.string(), z.int()) });
export type Bell = z.infer<typeof Bell>;

/** A machine's snapshot, and the version of the shape of its context if that has ever changed. */
const Snapshot = z.object({ value: z.unknown(), context: z.unknown(), version: z.int().optional() });

/** An agent as its actor holds it: everything the actor knows can be read back from here. */
export const AgentRecord = z.object({
  id: z.string(),
  /** The root of its family: its parent's id, or its own. */
  family: z.string(),
  hostId: z.string(),
  /** Grows when the agent is placed again. A write that carries an older one is refused. */
  epoch: z.int(),
  /** Grows with every commit. A commit names the one it was decided on. */
  version: z.int(),
  /** The machine's persisted snapshot. */
  snapshot: Snapshot,
  launch: Launch,
  bell: Bell.optional(),
  /** In the order in which they were asked for. */
  effects: z.array(PendingEffect),
});
export type AgentRecord = z.infer<typeof AgentRecord>;

/** What a decision records: all of it or nothing. */
export const AgentCommit = z.object({
  agentId: z.string(),
  epoch: z.int(),
  /** The version that was decided on. */
  version: z.int(),
  snapshot: Snapshot,
  /** Effects asked for, in order. */
  effects: z.array(z.object({ kind: z.string(), params: z.record(z.string(), z.unknown()) })),
  /** Keys of effects that are done or no longer wanted. */
  done: z.array(z.string()),
  facts: z.array(z.object({ kind: z.string(), detail: z.record(z.string(), z.unknown()) })),
  /** Deadlines by name: milliseconds from now, or null to take one away. */
  deadlines: z.record(z.string(), z.int().nullable()),
  /** What it was decided on, without what was seen; absent if nothing was decided. */
  event: z.looseObject({ type: z.string() }).optional(),
  /** What was seen of the pane, if that brought about the decision. It is kept with the moves of the state. */
  sighting: Sighting.optional(),
});
export type AgentCommit = z.infer<typeof AgentCommit>;
