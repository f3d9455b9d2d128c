import type { Ids } from '#contract/clock.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { WriteContext } from './instance.ts';

/** A transaction that changes agents. */
export interface Change extends WriteContext {
  readonly ids: Ids;
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

/** Called with each commit of an agent, in the same transaction. Resolves to whether it changed the agent again. */
export type Consequence = (change: Change, commit: AgentCommit, agent: AgentChange) => Promise<boolean>;
