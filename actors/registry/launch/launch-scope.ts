import type { HostDefaults } from '#actors/registry/host/settings/host-limits.ts';
import type { ReviewScope } from '#actors/registry/review/review-scope.ts';
import type { LaunchQuota } from './quota.ts';

/** What launches need: reviews, and the limits on agents. */
export interface LaunchScope extends ReviewScope {
  /** The default capacity of hosts. */
  readonly hostDefaults: HostDefaults;
  /** How many agents may exist, not counting archived ones. */
  readonly ceiling: number;
  readonly launchQuota: LaunchQuota;
}
