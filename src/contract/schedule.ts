import { z } from 'zod';
import { enumeration, int64, message, timestamp } from './message.ts';

/** Where a firing's job stands in the queue. */
export const ScheduleRunState = enumeration('schedule.v1.ScheduleRunState', [
  'SCHEDULE_RUN_STATE_UNSPECIFIED',
  'SCHEDULE_RUN_STATE_AVAILABLE',
  'SCHEDULE_RUN_STATE_PENDING',
  'SCHEDULE_RUN_STATE_SCHEDULED',
  'SCHEDULE_RUN_STATE_RUNNING',
  'SCHEDULE_RUN_STATE_RETRYABLE',
  'SCHEDULE_RUN_STATE_COMPLETED',
  'SCHEDULE_RUN_STATE_CANCELLED',
  'SCHEDULE_RUN_STATE_DISCARDED',
]);

export type ScheduleRunState = z.infer<typeof ScheduleRunState>;

/** One firing of a schedule. */
export const ScheduleRun = message('schedule.v1.ScheduleRun', {
  id: [1, int64()],
  scheduledFor: [2, timestamp()],
  state: [3, ScheduleRunState],
  attempt: [4, z.int32()],
  maxAttempts: [5, z.int32()],
  finalizedAt: [6, timestamp()],
  /** Why it was skipped, what its last failed attempt said, or for what it waits: of each host that cannot take it, what it lacks. */
  message: [7, z.string()],
  /** The agent that it launched. */
  agentId: [8, z.string()],
});
export type ScheduleRun = z.infer<typeof ScheduleRun>;

/** What becomes of occurrences that came while muster was not running, or while no host could take them. */
export const MissedPolicy = enumeration('schedule.v1.MissedPolicy', [
  'MISSED_POLICY_UNSPECIFIED',
  'MISSED_POLICY_RUN_ONCE',
  'MISSED_POLICY_RUN_ALL',
  'MISSED_POLICY_SKIP',
]);
export type MissedPolicy = z.infer<typeof MissedPolicy>;

/** What becomes of a firing while an agent of an earlier one is still at work. */
export const OverlapPolicy = enumeration('schedule.v1.OverlapPolicy', [
  'OVERLAP_POLICY_UNSPECIFIED',
  'OVERLAP_POLICY_ALLOW',
  'OVERLAP_POLICY_SKIP',
  'OVERLAP_POLICY_WAIT',
]);
export type OverlapPolicy = z.infer<typeof OverlapPolicy>;

/** A recurring launch. */
export const Schedule = message('schedule.v1.Schedule', {
  id: [1, z.string()],
  name: [2, z.string()],
  cron: [3, z.string()],
  timezone: [4, z.string()],
  enabled: [5, z.boolean()],
  hideAgents: [6, z.boolean()],
  prompt: [7, z.string()],
  workflowId: [8, z.string()],
  nextRunAt: [9, timestamp()],
  promptTruncated: [10, z.boolean()],
  latestRun: [11, ScheduleRun],
  recentRuns: [12, z.array(ScheduleRun)],
  missed: [13, MissedPolicy],
  /** How late a missed occurrence may be and still run. */
  catchUpSeconds: [14, z.int32()],
  overlap: [15, OverlapPolicy],
  /** Launches are spread over so many seconds after the occurrence, always alike for one schedule. */
  jitterSeconds: [16, z.int32()],
  maxAttempts: [17, z.int32()],
  /** After how many discarded firings in a row it is paused; unset means never. */
  pauseAfterFailures: [18, z.int32()],
  /** Why it is paused. */
  pausedReason: [19, z.string()],
  /** RFC 3339 in UTC. */
  createdAt: [20, z.string()],
  updatedAt: [21, z.string()],
});
export type Schedule = z.infer<typeof Schedule>;
