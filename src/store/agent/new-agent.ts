import type { AgentRole } from '#contract/agent/agent.ts';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { Launch } from '#contract/wire/agent-record.ts';

/** The content of a machine's first decision. */
export interface FirstDecision {
  readonly snapshot: StoredSnapshot;
  readonly effects: readonly { readonly kind: string; readonly params: Readonly<Record<string, unknown>> }[];
  readonly facts: readonly { readonly kind: string; readonly detail: Readonly<Record<string, unknown>> }[];
  readonly deadlines: Readonly<Record<string, number | null>>;
}

/** An agent that is to be recorded. */
export interface NewAgent {
  readonly id: string;
  readonly parentAgentId: string | undefined;
  readonly spawnedByAgentId: string | undefined;
  /** Who creates it: `person`, or an agent's id. */
  readonly createdBy: string;
  readonly idempotencyKey: string | undefined;
  readonly hostId: string;
  /** The first line of what it is asked to do. */
  readonly task?: string;
  readonly workflowId: string;
  readonly role: AgentRole;
  /** The agent whose doorbell rings whenever this one finishes, ends, fails or waits. */
  readonly resultFor?: string | undefined;
  /** The schedule that launches it, and whether that keeps it out of listings for people. */
  readonly scheduleId?: string | undefined;
  readonly hidden?: boolean | undefined;
  /** The schedule to whose budget its work counts. */
  readonly budgetScheduleId?: string | undefined;
  readonly launch: Launch;
  readonly decision: FirstDecision;
}
