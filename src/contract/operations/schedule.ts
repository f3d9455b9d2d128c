import { z } from 'zod';
import { explicitBoolean, int64, meaningsOf, message, required, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextCursor, nextPageToken, paging, textView, watchCursor } from '#contract/page.ts';
import { MissedPolicy, OverlapPolicy, Schedule, ScheduleRun } from '#contract/schedule.ts';

const service = { package: 'schedule.v1', service: 'ScheduleService' } as const;
const same = meaningsOf(Schedule);
const scheduleId = [required(z.string().min(1)), 'The schedule, by its id: `sch_` and a ULID.'] as const;
const changedSchedule = [Schedule, 'The schedule after the call.'] as const;
const runId = [required(int64()), 'The firing, by the number that list_schedule_runs shows.'] as const;
const changedRun = [ScheduleRun, 'The firing after the call.'] as const;
const longest = 366 * 86_400;
const fields = {
  name: text(200),
  cron: text(256),
  timezone: text(60),
  prompt: text(50_000),
  catchUpSeconds: z.int32().min(0).max(longest),
  jitterSeconds: z.int32().min(0).max(86_400),
  maxAttempts: z.int32().min(0).max(100),
  pauseAfterFailures: z.int32().min(0).max(1_000),
};

export const listSchedules = operation({
  ...service,
  method: 'ListSchedules',
  summary: 'Lists recurring agent launches, most recently updated first.',
  guidance: 'Long prompts are cut to their opening and promptTruncated is set; VIEW_FULL returns them whole.',
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
  summary: 'Returns one schedule, its prompt whole.',
  guidance: 'list_schedules shows the ids.',
  request: message('schedule.v1.GetScheduleRequest', { scheduleId: [1, ...scheduleId] }),
  response: message('schedule.v1.GetScheduleResponse', { schedule: [1, Schedule, 'The schedule, its prompt whole.'] }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
});

export const watchSchedules = operation({
  ...service,
  method: 'WatchSchedules',
  summary: 'Follows schedules: all of them first, then those that change, with their newest firings.',
  guidance: 'Pass cursor back unchanged. goneScheduleIds names those that were deleted.',
  request: message('schedule.v1.WatchSchedulesRequest', { cursor: [1, ...watchCursor], view: [2, ...textView] }),
  response: message('schedule.v1.WatchSchedulesResponse', {
    schedules: [1, z.array(Schedule), 'Those that changed, with their newest firings; all at first.'],
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
    'cron has five fields, read against timezone; a blank one is the machine’s own. Occurrences that were missed run once, ' +
    'all, or not at all (missed), as long as they are not later than catchUpSeconds (a day). While an agent of an earlier ' +
    'firing is at work, overlap lets a firing start, skips it, or has it wait. Names are unique.',
  request: message('schedule.v1.CreateScheduleRequest', {
    name: [1, required(fields.name.min(1)), same.name],
    cron: [2, required(fields.cron.min(1)), same.cron],
    timezone: [3, fields.timezone, same.timezone],
    prompt: [4, required(fields.prompt.min(1)), 'Briefing of every agent it launches.'],
    workflowId: [5, required(z.string().min(1)), same.workflowId],
    hideAgents: [6, z.boolean(), same.hideAgents],
    missed: [7, MissedPolicy, same.missed],
    catchUpSeconds: [8, fields.catchUpSeconds, same.catchUpSeconds],
    overlap: [9, OverlapPolicy, same.overlap],
    jitterSeconds: [10, fields.jitterSeconds, same.jitterSeconds],
    maxAttempts: [11, fields.maxAttempts, same.maxAttempts],
    pauseAfterFailures: [12, fields.pauseAfterFailures, same.pauseAfterFailures],
    paused: [13, z.boolean(), 'Whether it begins paused.'],
  }),
  response: message('schedule.v1.CreateScheduleResponse', { schedule: [1, Schedule, 'The schedule as it was made.'] }),
  access: 'write',
  idempotent: false,
  roles: [],
});

export const updateSchedule = operation({
  ...service,
  method: 'UpdateSchedule',
  summary: 'Changes the fields of a schedule that the request names.',
  guidance: 'A field that is not sent stays. Name a field in clear to reset it to its default.',
  request: message('schedule.v1.UpdateScheduleRequest', {
    scheduleId: [1, ...scheduleId],
    name: [2, fields.name, same.name],
    cron: [3, fields.cron, same.cron],
    timezone: [4, fields.timezone, same.timezone],
    prompt: [5, fields.prompt, 'Briefing of every agent it launches.'],
    workflowId: [6, z.string(), same.workflowId],
    hideAgents: [7, explicitBoolean(), same.hideAgents],
    missed: [8, MissedPolicy, same.missed],
    catchUpSeconds: [9, fields.catchUpSeconds, same.catchUpSeconds],
    overlap: [10, OverlapPolicy, same.overlap],
    jitterSeconds: [11, fields.jitterSeconds, same.jitterSeconds],
    maxAttempts: [12, fields.maxAttempts, same.maxAttempts],
    pauseAfterFailures: [13, fields.pauseAfterFailures, same.pauseAfterFailures],
    clear: [
      14,
      z.array(z.enum(['timezone', 'catchUpSeconds', 'jitterSeconds', 'maxAttempts', 'pauseAfterFailures'])),
      'Fields to set to their default, by name. One that is also given is set.',
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
  summary: 'Stops a schedule from firing; firings that have not begun are cancelled.',
  guidance: 'A paused schedule stays paused. resume_schedule arms it again.',
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
  guidance: 'Occurrences while it was paused do not count as missed.',
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
  guidance: 'The run is recorded at once and launches its agent soon: list_schedule_runs shows its result.',
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
  guidance: 'message says why one was skipped, or what its last failed attempt said.',
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
    'Each armed schedule, or the one of scheduleId, or with cron that expression alone, to try it out. ' +
    'invalid_argument says what is wrong with it. more is set if limit cut the list.',
  request: message('schedule.v1.ListComingFiringsRequest', {
    scheduleId: [1, z.string(), 'Only this schedule. Unset: every armed one.'],
    cron: [2, fields.cron, 'An expression to try out, instead of a schedule.'],
    timezone: [3, fields.timezone, 'IANA name that `cron` is read in. Unset: the machine’s own.'],
    days: [4, z.int32().min(0).max(3_660), 'How far to look ahead, in days. Unset: 7.'],
    limit: [5, z.int32().min(0).max(200), 'Times for each, at most 200. Unset: 50.'],
  }),
  response: message('schedule.v1.ListComingFiringsResponse', {
    coming: [
      1,
      z.array(
        message('schedule.v1.ComingFirings', {
          scheduleId: [1, z.string(), 'The schedule that fires. Unset for an expression that is tried out.'],
          times: [2, z.array(z.string()), 'When it fires, soonest first: RFC 3339, UTC.'],
          more: [3, z.boolean(), 'Whether more times follow within those days.'],
        }),
      ),
      'The times, schedule by schedule.',
    ],
    timezone: [2, z.string(), 'IANA name of the zone that an expression without one is read in.'],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
});

export const cancelScheduleRun = operation({
  ...service,
  method: 'CancelScheduleRun',
  summary: 'Cancels a firing that has not ended.',
  guidance: 'One that is cancelled already stays so; one that has launched its agent or was discarded is refused.',
  request: message('schedule.v1.CancelScheduleRunRequest', { runId: [1, ...runId] }),
  response: message('schedule.v1.CancelScheduleRunResponse', { run: [1, ...changedRun] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const retryScheduleRun = operation({
  ...service,
  method: 'RetryScheduleRun',
  summary: 'Runs a firing now that is waiting, was skipped or failed.',
  guidance: 'A firing launches one agent however often it is tried. One that is available or running is refused.',
  request: message('schedule.v1.RetryScheduleRunRequest', { runId: [1, ...runId] }),
  response: message('schedule.v1.RetryScheduleRunResponse', { run: [1, ...changedRun] }),
  access: 'write',
  idempotent: false,
  roles: [],
});
