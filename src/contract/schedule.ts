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

/** One firing of a schedule. */
export const ScheduleRun = message('schedule.v1.ScheduleRun', {
  id: [1, int64()],
  scheduledFor: [2, timestamp()],
  state: [3, ScheduleRunState],
  attempt: [4, z.int32()],
  maxAttempts: [5, z.int32()],
  finalizedAt: [6, timestamp()],
  message: [7, z.string()],
});

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
});
