import type { PermitScope } from '#actors/registry/host/host-scope.ts';
import type { RoleBriefings } from './role-briefings.ts';

/** The dependencies of the review module. */
export interface ReviewScope extends PermitScope {
  readonly briefings: RoleBriefings;
  /** Compares worktrees with their review rounds. */
  readonly reviewStatuses: { measure(agentId: string): void };
}
