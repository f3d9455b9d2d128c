import type { Ids } from '#contract/clock.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Writing } from './instance.ts';

/** The tables within a write that changes agents. */
export interface Change extends Writing {
  readonly ids: Ids;
  readonly consequences: readonly Consequence[];
  /** Whether an agent waits for its doorbell. */
  isWaiting(agentId: string): boolean;
  /** Rings a host once the write is durable. */
  ring(hostId: string): void;
}

/** The row of an agent until a commit, and as the commit left it. */
export interface Committed {
  readonly before: StoredAgent;
  readonly after: StoredAgent;
}

/** What a room writes with the commit of an agent. Resolves to whether that changed the agent again. */
export type Consequence = (change: Change, commit: AgentCommit, agent: Committed) => Promise<boolean>;
