import type { CliIo } from '#cli/client/io.ts';
import { printable } from '#contract/printable.ts';
import type { Schedule, ScheduleRun } from '#contract/schedule.ts';
import { paintFor } from './color.ts';
import { details, section } from './details.ts';
import { textTable } from './text-table.ts';
import { shortName } from './words.ts';

const columns = ['NAME', 'CRON', 'TIMEZONE', 'NEXT', 'LATEST RUN', 'ID'].map((title) => ({ title }));
const runColumns = ['ID', 'SCHEDULED FOR', 'STATE', 'TRY', 'AGENT', 'MESSAGE'].map((title) => ({ title }));

/** A table of schedules. */
export function scheduleTable(io: CliIo, schedules: readonly Schedule[]): string {
  if (schedules.length === 0) return 'There are no schedules: create one with muster schedule create\n';
  const cells = schedules.map(({ name = '', cron = '', timezone, enabled, nextRunAt, latestRun, id = '' }) =>
    [
      name,
      cron,
      timezone ?? '',
      enabled ? (nextRunAt ?? 'never') : 'paused',
      shortName(latestRun?.state ?? ''),
      id,
    ].map((text) => ({ text: printable(text) })),
  );
  return textTable(columns, cells, io.stdout.columns);
}

/** A table of firings. */
export function runTable(io: CliIo, runs: readonly ScheduleRun[], names: ReadonlyMap<string, string>): string {
  if (runs.length === 0) return 'It has not fired yet\n';
  const paint = paintFor(io);
  const cells = runs.map(
    ({ id = '', scheduledFor = '', state = '', attempt = 0, maxAttempts = 0, agentId = '', message }) => [
      { text: id },
      { text: scheduledFor },
      {
        text: shortName(state),
        paint: (text: string) => (state === 'SCHEDULE_RUN_STATE_DISCARDED' ? paint('red', text) : text),
      },
      { text: `${attempt}/${maxAttempts}` },
      { text: printable(names.get(agentId) ?? agentId) },
      { text: printable(message ?? '') },
    ],
  );
  return textTable(runColumns, cells, io.stdout.columns);
}

/** The details of a schedule. */
export function schedulePage(io: CliIo, schedule: Schedule, workflow: string): string {
  const { latestRun, pauseAfterFailures, jitterSeconds } = schedule;
  const page = details(io, {
    name: schedule.name,
    id: schedule.id,
    cron: schedule.cron,
    timezone: schedule.timezone || 'the machine’s own',
    state: schedule.enabled ? 'armed' : (schedule.pausedReason ?? 'paused'),
    next: schedule.nextRunAt,
    workflow,
    'latest run':
      latestRun &&
      [latestRun.scheduledFor, shortName(latestRun.state ?? ''), latestRun.message].filter(Boolean).join(' '),
    'hidden agents': schedule.hideAgents ? 'yes' : '',
    missed: shortName(schedule.missed ?? ''),
    'caught up': schedule.catchUpSeconds === undefined ? '' : `${schedule.catchUpSeconds} s`,
    overlap: shortName(schedule.overlap ?? ''),
    jitter: jitterSeconds ? `${jitterSeconds} s` : '',
    attempts: String(schedule.maxAttempts ?? ''),
    'paused after': pauseAfterFailures ? `${pauseAfterFailures} failed firings in a row` : '',
    created: schedule.createdAt,
    updated: schedule.updatedAt,
  });
  return [page, section(io, 'prompt', schedule.prompt ?? '')].filter(Boolean).join('\n');
}
