import type { RoomScope } from '#actors/registry/placement/disk-floor.ts';
import type { ReviewScope } from '#actors/registry/review/review-scope.ts';
import type { LaunchQuota } from './quota.ts';

/** What launches need: reviews, and the limits on agents. */
export interface LaunchScope extends ReviewScope, RoomScope {
  /** How many agents may exist, not counting archived ones. */
  readonly ceiling: number;
  readonly launchQuota: LaunchQuota;
}
