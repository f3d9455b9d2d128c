import { z } from 'zod';
import { enumeration, int64, message, timestamp } from './message.ts';

/** Where a firing's job is in the queue. */
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
  id: [1, int64(), 'Names the firing. Higher numbers are newer.'],
  scheduledFor: [2, timestamp(), 'Which occurrence of the cron expression it is for: RFC 3339, UTC.'],
  state: [3, ScheduleRunState, 'How far it has got.'],
  attempt: [4, z.int32(), 'Which attempt this is, from one. 0 before the first.'],
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

/** What happens to occurrences that came while muster was not running, or while no host could take them. */
export const MissedPolicy = enumeration('schedule.v1.MissedPolicy', {
  MISSED_POLICY_UNSPECIFIED: 'Not given: as MISSED_POLICY_RUN_ONCE.',
  MISSED_POLICY_RUN_ONCE: 'Those that were missed run once, together.',
  MISSED_POLICY_RUN_ALL: 'Each that was missed runs.',
  MISSED_POLICY_SKIP: 'None that was missed runs.',
});
export type MissedPolicy = z.infer<typeof MissedPolicy>;

/** What happens to a firing while an agent of an earlier one is still at work. */
export const OverlapPolicy = enumeration('schedule.v1.OverlapPolicy', {
  OVERLAP_POLICY_UNSPECIFIED: 'Not given: as OVERLAP_POLICY_ALLOW.',
  OVERLAP_POLICY_ALLOW: 'It launches its agent anyway.',
  OVERLAP_POLICY_SKIP: 'It is skipped.',
  OVERLAP_POLICY_WAIT: 'It waits until that agent is done.',
});
export type OverlapPolicy = z.infer<typeof OverlapPolicy>;

/** A recurring launch. */
export const Schedule = message('schedule.v1.Schedule', {
  id: [1, z.string(), 'Names the schedule in every other call: `sch_` and a ULID.'],
  name: [2, z.string(), 'What people call it, unique among schedules. At most 200 characters.'],
  cron: [3, z.string(), 'When it fires: five fields, minute to day of the week, read in `timezone`.'],
  timezone: [4, z.string(), 'IANA name that `cron` is read in, such as `Europe/Berlin`. Empty: the machine’s own.'],
  enabled: [5, z.boolean(), 'Whether it fires. A paused one keeps its record.'],
  hideAgents: [6, z.boolean(), 'Whether its agents stay out of people’s lists while they run.'],
  prompt: [7, z.string(), 'Briefing of every agent it launches, or only its opening when `promptTruncated` is true.'],
  workflowId: [8, z.string(), 'Workflow that its agents are launched into, which decides their directory and flags.'],
  nextRunAt: [9, timestamp(), 'When it fires next: RFC 3339, UTC. Unset while paused.'],
  promptTruncated: [10, z.boolean(), 'Whether `prompt` holds only its first 200 characters.'],
  latestRun: [11, ScheduleRun, 'Its newest firing on record. Unset if there is none.'],
  recentRuns: [12, z.array(ScheduleRun), 'Its newest firings, newest first. Filled only by watch_schedules.'],
  missed: [
    13,
    MissedPolicy,
    'What happens to occurrences that passed while muster was not running or no host could take them.',
  ],
  catchUpSeconds: [14, z.int32(), 'How late a missed occurrence may still run, in seconds. Unset in a request: a day.'],
  overlap: [15, OverlapPolicy, 'What happens to a firing while an agent of an earlier one is still at work.'],
  jitterSeconds: [
    16,
    z.int32(),
    'Launches wait up to this many seconds after the occurrence, always the same for one schedule.',
  ],
  maxAttempts: [17, z.int32(), 'How many attempts a firing gets before it is discarded. Unset in a request: 3.'],
  pauseAfterFailures: [18, z.int32(), 'After how many discarded firings in a row it is paused. Unset: never.'],
  pausedReason: [19, z.string(), 'Why it is paused. Empty while it fires.'],
  createdAt: [20, z.string(), 'When it was made: RFC 3339, UTC.'],
  updatedAt: [21, z.string(), 'When it was last changed: RFC 3339, UTC.'],
  pausedByFailures: [22, z.boolean(), 'Whether it is paused because firings failed in a row, and not by a person.'],
});
export type Schedule = z.infer<typeof Schedule>;
