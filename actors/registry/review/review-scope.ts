import type { AskingScope } from '#actors/registry/host/host-scope.ts';
import type { AgentRole } from '#contract/agent/agent.ts';

/** What rounds and reviews work with. */
export interface ReviewScope extends AskingScope {
  /** The half of the review briefing that a role is sent; empty where it has none. */
  readonly halfOf: (role: AgentRole) => Promise<string>;
  /** Measures where worktrees stand against their rounds. */
  readonly standings: { measure(agentId: string): void };
}
