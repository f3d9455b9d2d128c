import { z } from 'zod';
import { Isolation } from '#contract/host/isolation.ts';
import { explicitBoolean, int64, meaningsOf, message, required, text, words } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextCursor, nextPageToken, paging, textView, watchCursor } from '#contract/page.ts';
import { MissedPolicy, OverlapPolicy, Schedule, ScheduleRun } from '#contract/schedule.ts';

const service = { package: 'schedule.v1', service: 'ScheduleService' } as const;
const same = meaningsOf(Schedule);
const scheduleId = [required(z.string().min(1)), 'The schedule, by its id: `sch_` and a ULID.'] as const;
const changedSchedule = [Schedule, 'The schedule after the call.'] as const;
const runId = [required(int64()), 'The id of the firing, from list_schedule_runs.'] as const;
const changedRun = [ScheduleRun, 'The firing after the call.'] as const;
const longest = 366 * 86_400;
const fields = {
  name: text(200),
  cron: text(256),
  timezone: text(60),
  prompt: words(50_000),
  catchUpSeconds: z.int32().min(0).max(longest),
  jitterSeconds: z.int32().min(0).max(86_400),
  maxAttempts: z.int32().min(0).max(100),
  pauseAfterFailures: z.int32().min(0).max(1_000),
};

export const listSchedules = operation({
  ...service,
  method: 'ListSchedules',
  summary: 'Lists recurring agent launches, most recently updated first.',
  guidance: 'Long prompts are cut and promptTruncated is set.',
  request: message('schedule.v1.ListSchedulesRequest', { pagination: [1, ...paging], view: [2, ...textView] }),
  response: message('schedule.v1.ListSchedulesResponse', {
    schedules: [1, z.array(Schedule), 'One page, most recently updated first.'],
    nextPageToken: [2, ...nextPageToken],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
});

export const getSchedule = operation({
  ...service,
  method: 'GetSchedule',
  summary: 'Returns one schedule with its whole prompt.',
  guidance: '',
  request: message('schedule.v1.GetScheduleRequest', { scheduleId: [1, ...scheduleId] }),
  response: message('schedule.v1.GetScheduleResponse', {
    schedule: [1, Schedule, 'The schedule with its whole prompt.'],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
  peopleOnly: { fields: [], guidance: 'list_schedules shows the ids.' },
});

export const watchSchedules = operation({
  ...service,
  method: 'WatchSchedules',
  summary: 'Follows schedules: first all of them, then those that change, with their newest firings.',
  guidance: 'Pass cursor back. goneScheduleIds are those that were deleted.',
  request: message('schedule.v1.WatchSchedulesRequest', { cursor: [1, ...watchCursor], view: [2, ...textView] }),
  response: message('schedule.v1.WatchSchedulesResponse', {
    schedules: [1, z.array(Schedule), 'Those that changed, with their newest firings; first all.'],
    goneScheduleIds: [2, z.array(z.string()), 'Ids of schedules that were deleted.'],
    cursor: [3, ...nextCursor],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
  watch: { facts: 'schedule.', shared: 'all' },
});

export const createSchedule = operation({
  ...service,
  method: 'CreateSchedule',
  summary: 'Creates a schedule: it launches an agent at each time of its cron expression.',
  guidance:
    'cron has five fields, read in timezone (default: the registry’s own). missed decides whether missed occurrences run once, ' +
    'all, or not at all, if they are at most catchUpSeconds late (default: a day). overlap decides whether a firing starts, is ' +
    'skipped or waits while an agent of an earlier one is working. Names are unique.',
  request: message('schedule.v1.CreateScheduleRequest', {
    name: [1, required(fields.name.min(1)), same.name],
    cron: [2, required(fields.cron.min(1)), same.cron],
    timezone: [3, fields.timezone, same.timezone],
    prompt: [4, required(fields.prompt.min(1)), 'The prompt of every agent it launches.'],
    workflowId: [5, required(z.string().min(1)), same.workflowId],
    hideAgents: [6, z.boolean(), same.hideAgents],
    missed: [7, MissedPolicy, same.missed],
    catchUpSeconds: [8, fields.catchUpSeconds, same.catchUpSeconds],
    overlap: [9, OverlapPolicy, same.overlap],
    jitterSeconds: [10, fields.jitterSeconds, same.jitterSeconds],
    maxAttempts: [11, fields.maxAttempts, same.maxAttempts],
    pauseAfterFailures: [12, fields.pauseAfterFailures, same.pauseAfterFailures],
    paused: [13, z.boolean(), 'Whether it starts paused.'],
    isolation: [14, Isolation, same.isolation],
  }),
  response: message('schedule.v1.CreateScheduleResponse', { schedule: [1, Schedule, 'The new schedule.'] }),
  access: 'write',
  idempotent: false,
  roles: [],
});

export const updateSchedule = operation({
  ...service,
  method: 'UpdateSchedule',
  summary: 'Changes the fields of a schedule that the request names.',
  guidance: 'An omitted field stays. Name a field in clear to reset it to its default.',
  request: message('schedule.v1.UpdateScheduleRequest', {
    scheduleId: [1, ...scheduleId],
    name: [2, fields.name, same.name],
    cron: [3, fields.cron, same.cron],
    timezone: [4, fields.timezone, same.timezone],
    prompt: [5, fields.prompt, 'The prompt of every agent it launches.'],
    workflowId: [6, z.string(), same.workflowId],
    hideAgents: [7, explicitBoolean(), same.hideAgents],
    missed: [8, MissedPolicy, same.missed],
    catchUpSeconds: [9, fields.catchUpSeconds, same.catchUpSeconds],
    overlap: [10, OverlapPolicy, same.overlap],
    jitterSeconds: [11, fields.jitterSeconds, same.jitterSeconds],
    maxAttempts: [12, fields.maxAttempts, same.maxAttempts],
    pauseAfterFailures: [13, fields.pauseAfterFailures, same.pauseAfterFailures],
    isolation: [15, Isolation, same.isolation],
    clear: [
      14,
      z.array(
        z.enum(['timezone', 'catchUpSeconds', 'jitterSeconds', 'maxAttempts', 'pauseAfterFailures', 'isolation']),
      ),
      'Fields to reset to their defaults, by name. A field that is also given is set instead.',
    ],
  }),
  response: message('schedule.v1.UpdateScheduleResponse', { schedule: [1, ...changedSchedule] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const deleteSchedule = operation({
  ...service,
  method: 'DeleteSchedule',
  summary: 'Deletes a schedule and the record of its firings; the agents that it launched stay.',
  guidance: 'pause_schedule keeps the record and stops it from firing.',
  request: message('schedule.v1.DeleteScheduleRequest', { scheduleId: [1, ...scheduleId] }),
  response: message('schedule.v1.DeleteScheduleResponse', {}),
  access: 'write',
  idempotent: true,
  destructive: true,
  roles: [],
});

export const pauseSchedule = operation({
  ...service,
  method: 'PauseSchedule',
  summary: 'Stops a schedule from firing, and cancels firings that have not started.',
  guidance: 'A paused schedule stays paused. resume_schedule resumes it.',
  request: message('schedule.v1.PauseScheduleRequest', { scheduleId: [1, ...scheduleId] }),
  response: message('schedule.v1.PauseScheduleResponse', { schedule: [1, ...changedSchedule] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const resumeSchedule = operation({
  ...service,
  method: 'ResumeSchedule',
  summary: 'Resumes a paused schedule: it fires from its next occurrence on.',
  guidance: 'Occurrences during the pause do not count as missed.',
  request: message('schedule.v1.ResumeScheduleRequest', { scheduleId: [1, ...scheduleId] }),
  response: message('schedule.v1.ResumeScheduleResponse', { schedule: [1, ...changedSchedule] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const fireSchedule = operation({
  ...service,
  method: 'FireSchedule',
  summary: 'Fires a schedule now, in addition to its occurrences, even while it is paused.',
  guidance: 'The firing is recorded at once and launches its agent soon: list_schedule_runs shows its result.',
  request: message('schedule.v1.FireScheduleRequest', { scheduleId: [1, ...scheduleId] }),
  response: message('schedule.v1.FireScheduleResponse', { run: [1, ScheduleRun, 'The new firing.'] }),
  access: 'write',
  idempotent: false,
  roles: [],
});

export const listScheduleRuns = operation({
  ...service,
  method: 'ListScheduleRuns',
  summary: 'Lists the recorded firings of a schedule, newest first.',
  guidance: 'message says why a firing was skipped, or how its last attempt failed.',
  request: message('schedule.v1.ListScheduleRunsRequest', {
    scheduleId: [1, ...scheduleId],
    pagination: [2, ...paging],
  }),
  response: message('schedule.v1.ListScheduleRunsResponse', {
    runs: [1, z.array(ScheduleRun), 'One page, newest first.'],
    nextPageToken: [2, ...nextPageToken],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
});

export const listComingFirings = operation({
  ...service,
  method: 'ListComingFirings',
  summary: 'Lists when schedules will fire.',
  guidance:
    'For every schedule that is not paused, for scheduleId alone, or for a cron expression to try out: ' +
    'invalid_argument says what is wrong with it. more is set if limit cut the list.',
  request: message('schedule.v1.ListComingFiringsRequest', {
    scheduleId: [1, z.string(), 'Only this schedule. Unset: every one that is not paused.'],
    cron: [2, fields.cron, 'An expression to try out, instead of a schedule.'],
    timezone: [3, fields.timezone, 'The time zone of `cron` by its IANA name. Unset: the registry’s own.'],
    days: [4, z.int32().min(0).max(3_660), 'How far to look ahead, in days. Unset: 7.'],
    limit: [5, z.int32().min(0).max(200), 'Times per schedule, at most 200. Unset: 50.'],
  }),
  response: message('schedule.v1.ListComingFiringsResponse', {
    coming: [
      1,
      z.array(
        message('schedule.v1.ComingFirings', {
          scheduleId: [1, z.string(), 'The schedule. Unset for an expression to try out.'],
          times: [2, z.array(z.string()), 'When it fires, soonest first: RFC 3339, UTC.'],
          more: [3, z.boolean(), 'Whether more times follow within those days.'],
        }),
      ),
      'The times, schedule by schedule.',
    ],
    timezone: [2, z.string(), 'The registry’s own time zone by its IANA name, the default for expressions.'],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
});

export const cancelScheduleRun = operation({
  ...service,
  method: 'CancelScheduleRun',
  summary: 'Cancels a firing that has not finished.',
  guidance: 'Cancelling a cancelled firing changes nothing. Refused if it has launched its agent or was discarded.',
  request: message('schedule.v1.CancelScheduleRunRequest', { runId: [1, ...runId] }),
  response: message('schedule.v1.CancelScheduleRunResponse', { run: [1, ...changedRun] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const retryScheduleRun = operation({
  ...service,
  method: 'RetryScheduleRun',
  summary: 'Runs a firing now that waits, was skipped or failed.',
  guidance: 'A firing launches one agent, however often it is tried. Refused if it is available or running.',
  request: message('schedule.v1.RetryScheduleRunRequest', { runId: [1, ...runId] }),
  response: message('schedule.v1.RetryScheduleRunResponse', { run: [1, ...changedRun] }),
  access: 'write',
  idempotent: false,
  roles: [],
});
