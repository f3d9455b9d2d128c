import type { LaunchScope } from '#actors/registry/launch/launch-scope.ts';
import type { Histogram } from '#contract/histogram.ts';

/** What firings launch with. */
export interface ScheduleScope extends LaunchScope {
  /** How late firings were taken up, in seconds. */
  readonly lateness: Histogram;
}
