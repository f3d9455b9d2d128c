import type { Ids } from '#contract/clock.ts';
import type { Tables } from '#store/store.ts';

/** The tables within a write that moves agents. */
export interface Change {
  readonly tables: Tables;
  readonly ids: Ids;
  /** Milliseconds since 1970: everything of one write happens at the same time. */
  readonly now: number;
  /** Whether an agent waits for its doorbell. */
  isWaiting(agentId: string): boolean;
  /** Rings a host once the write is durable. */
  ring(hostId: string): void;
}
