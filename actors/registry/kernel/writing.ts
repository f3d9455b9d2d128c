import type { Ids } from '#contract/clock.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/store.ts';

/** The tables within a write that moves agents. */
export interface Change {
  readonly tables: Tables;
  readonly ids: Ids;
  /** Milliseconds since 1970: everything of one write happens at the same time. */
  readonly now: number;
  readonly consequences: readonly Consequence[];
  /** Whether an agent waits for its doorbell. */
  isWaiting(agentId: string): boolean;
  /** Rings a host once the write is durable. */
  ring(hostId: string): void;
}

/**
 * What a room writes with the commit of an agent, which was `before` until then. Resolves to whether that changed the agent once
 * more.
 */
export type Consequence = (change: Change, commit: AgentCommit, before: StoredAgent) => Promise<boolean>;
