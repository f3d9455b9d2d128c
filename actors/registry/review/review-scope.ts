import type { AskingScope } from '#actors/registry/host/host-scope.ts';
import type { RoleBriefings } from './role-briefings.ts';

/** What rounds and reviews work with. */
export interface ReviewScope extends AskingScope {
  readonly briefings: RoleBriefings;
  /** Measures the review status of worktrees against their rounds. */
  readonly standings: { measure(agentId: string): void };
}
