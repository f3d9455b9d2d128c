import type { ReviewScope } from '#actors/registry/review/review-scope.ts';
import type { LaunchQuota } from './quota.ts';

/** What launches are bounded by. */
export interface LaunchScope extends ReviewScope {
  /** How many agents may exist that are not archived. */
  readonly ceiling: number;
  readonly launchQuota: LaunchQuota;
}
