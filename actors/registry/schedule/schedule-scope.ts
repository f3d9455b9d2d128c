import type { FollowedSteps } from '#actors/registry/kernel/followed-steps.ts';
import type { LaunchScope } from '#actors/registry/launch/launch-scope.ts';
import type { Histogram } from '#contract/histogram.ts';

/** The dependencies of the schedule module. */
export interface ScheduleScope extends LaunchScope {
  /** How late firings were claimed, in seconds. */
  readonly lateness: Histogram;
  readonly clockSteps: FollowedSteps;
}
