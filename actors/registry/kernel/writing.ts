import type { Ids } from '#contract/clock.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/tables.ts';
import type { WriteContext } from './instance.ts';

/** A transaction that changes agents. */
export interface Change extends WriteContext {
  readonly ids: Ids;
  readonly completions: readonly Completion[];
  readonly consequences: readonly Consequence[];
  /** Whether an agent waits for its doorbell. */
  isWaiting(agentId: string): boolean;
  /** Sends a hint to a host once the transaction is committed. */
  ring(hostId: string): void;
}

/** The row of an agent before and after a commit. */
export interface AgentChange {
  readonly before: StoredAgent;
  readonly after: StoredAgent;
}

/**
 * Adds to the facts of a decision about an agent what its machine does not know. Called before it is saved, in the same
 * transaction; `before` is the agent's row until then.
 */
export type Completion = (tables: Tables, commit: AgentCommit, before: StoredAgent) => Promise<AgentCommit>;

/** Called with each commit of an agent, in the same transaction. Resolves to whether it changed the agent again. */
export type Consequence = (change: Change, commit: AgentCommit, agent: AgentChange) => Promise<boolean>;
