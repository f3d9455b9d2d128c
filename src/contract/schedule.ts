import { z } from 'zod';
import { Isolation } from '#contract/host/isolation.ts';
import { enumeration, int64, message, timestamp } from './message.ts';

/** The state of a firing's job in the queue. */
export const ScheduleRunState = enumeration('schedule.v1.ScheduleRunState', {
  SCHEDULE_RUN_STATE_UNSPECIFIED: 'No state; never sent.',
  SCHEDULE_RUN_STATE_AVAILABLE: 'It waits for a worker.',
  SCHEDULE_RUN_STATE_PENDING: 'It is held back until something releases it.',
  SCHEDULE_RUN_STATE_SCHEDULED: 'It becomes available later.',
  SCHEDULE_RUN_STATE_RUNNING: 'It is being worked on.',
  SCHEDULE_RUN_STATE_RETRYABLE: 'An attempt failed, and it waits for the next one.',
  SCHEDULE_RUN_STATE_COMPLETED: 'It launched its agent.',
  SCHEDULE_RUN_STATE_CANCELLED: 'It was skipped on purpose; `message` says why.',
  SCHEDULE_RUN_STATE_DISCARDED: 'It ran out of attempts; `message` holds the last error.',
});

export type ScheduleRunState = z.infer<typeof ScheduleRunState>;

/** One firing of a schedule. */
export const ScheduleRun = message('schedule.v1.ScheduleRun', {
  id: [1, int64(), 'The id of the firing. Newer firings have higher numbers.'],
  scheduledFor: [2, timestamp(), 'The occurrence of the cron expression that it is for: RFC 3339, UTC.'],
  state: [3, ScheduleRunState, 'Whether it waits, runs or has ended.'],
  attempt: [4, z.int32(), 'The number of the current attempt, from one. 0 before the first.'],
  maxAttempts: [5, z.int32(), 'How many attempts it gets before it is discarded.'],
  finalizedAt: [6, timestamp(), 'When it finished: RFC 3339, UTC. Unset until then.'],
  message: [
    7,
    z.string(),
    'Why it was skipped, how its last attempt failed, or what each host lacks while it waits for one. Empty once it has launched.',
  ],
  agentId: [8, z.string(), 'The agent that it launched. Unset until then.'],
});
export type ScheduleRun = z.infer<typeof ScheduleRun>;

/** What happens to occurrences that passed while muster was not running or no host was available. */
export const MissedPolicy = enumeration('schedule.v1.MissedPolicy', {
  MISSED_POLICY_UNSPECIFIED: 'Not given: as MISSED_POLICY_RUN_ONCE.',
  MISSED_POLICY_RUN_ONCE: 'All missed occurrences run once, together.',
  MISSED_POLICY_RUN_ALL: 'Each missed occurrence runs.',
  MISSED_POLICY_SKIP: 'Missed occurrences do not run.',
});
export type MissedPolicy = z.infer<typeof MissedPolicy>;

/** What happens to a firing while an agent of an earlier one is still working. */
export const OverlapPolicy = enumeration('schedule.v1.OverlapPolicy', {
  OVERLAP_POLICY_UNSPECIFIED: 'Not given: as OVERLAP_POLICY_ALLOW.',
  OVERLAP_POLICY_ALLOW: 'It launches its agent anyway.',
  OVERLAP_POLICY_SKIP: 'It is skipped.',
  OVERLAP_POLICY_WAIT: 'It waits until that agent has finished.',
});
export type OverlapPolicy = z.infer<typeof OverlapPolicy>;

/** A recurring launch. */
export const Schedule = message('schedule.v1.Schedule', {
  id: [1, z.string(), 'The id of the schedule in every other call: `sch_` and a ULID.'],
  name: [2, z.string(), 'Its name, unique among schedules. At most 200 characters.'],
  cron: [3, z.string(), 'When it fires: five fields, from minute to day of week, in `timezone`.'],
  timezone: [
    4,
    z.string(),
    'The time zone of `cron` by its IANA name, such as `Europe/Berlin`. Empty: the registry’s own.',
  ],
  enabled: [5, z.boolean(), 'Whether it fires. False while it is paused.'],
  hideAgents: [6, z.boolean(), 'Whether people’s lists omit its agents while they run.'],
  prompt: [7, z.string(), 'The prompt of every agent it launches, or only its opening when `promptTruncated` is true.'],
  workflowId: [
    8,
    z.string(),
    'The workflow that its agents are launched into, which decides their directory and flags.',
  ],
  nextRunAt: [9, timestamp(), 'When it fires next: RFC 3339, UTC. Unset while paused.'],
  promptTruncated: [10, z.boolean(), 'Whether `prompt` holds only its first 200 characters.'],
  latestRun: [11, ScheduleRun, 'Its newest firing on record. Unset if there is none.'],
  recentRuns: [12, z.array(ScheduleRun), 'Its newest firings, newest first. Filled only by watch_schedules.'],
  missed: [
    13,
    MissedPolicy,
    'What happens to occurrences that passed while muster was not running or no host was available.',
  ],
  catchUpSeconds: [14, z.int32(), 'How late a missed occurrence may still run, in seconds. Default: a day.'],
  overlap: [15, OverlapPolicy, 'What happens to a firing while an agent of an earlier one is still working.'],
  jitterSeconds: [
    16,
    z.int32(),
    'The maximum delay of a launch after its occurrence, in seconds. Each schedule has its own fixed delay within it.',
  ],
  maxAttempts: [17, z.int32(), 'How many attempts a firing gets before it is discarded. Default: 3.'],
  pauseAfterFailures: [18, z.int32(), 'After how many discarded firings in a row it is paused. Unset: never.'],
  pausedReason: [19, z.string(), 'Why it is paused. Empty while it fires.'],
  createdAt: [20, z.string(), 'When it was created: RFC 3339, UTC.'],
  updatedAt: [21, z.string(), 'When it was last changed: RFC 3339, UTC.'],
  isolation: [23, Isolation, 'What separates its agents from their host. Unset: as the workflow says.'],
  pausedByFailures: [22, z.boolean(), 'Whether failed firings paused it, and not a person.'],
});
export type Schedule = z.infer<typeof Schedule>;
