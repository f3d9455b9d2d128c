import { z } from 'zod';
import { AgentRecord } from './agent-record.ts';

/**
 * An agent that moved from a host. `kept`: the host keeps everything, because the agent may return. `taken-away`: the
 * agent has arrived elsewhere, and the host removes its window, worktree and branch. `closed`: the host only closes
 * its window, because not everything in the worktree is elsewhere.
 */
export const Departure = z.object({
  id: z.string(),
  /** The agent's epoch since it left: an actor of an earlier one ends. */
  epoch: z.int(),
  /** The agent as it left. */
  record: AgentRecord,
  remains: z.enum(['kept', 'taken-away', 'closed']),
});
export type Departure = z.infer<typeof Departure>;
