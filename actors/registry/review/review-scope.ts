import type { AskingScope } from '#actors/registry/host/host-scope.ts';
import type { RoleBriefings } from './role-briefings.ts';

/** What rounds and reviews work with. */
export interface ReviewScope extends AskingScope {
  readonly briefings: RoleBriefings;
  /** Measures where worktrees stand against their rounds. */
  readonly standings: { measure(agentId: string): void };
}
