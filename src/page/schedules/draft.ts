import type { Schedule } from '#page/client/schedule/v1/schedule_pb.js';
import { MissedPolicy, OverlapPolicy } from '#page/client/schedule/v1/schedule_pb.js';
import { schedules } from './client.ts';

/** The draft of a schedule; numbers are stored as typed. */
export interface Draft {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly prompt: string;
  readonly workflowId: string;
  readonly hideAgents: boolean;
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
  readonly catchUpSeconds: string;
  readonly jitterSeconds: string;
  readonly maxAttempts: string;
  readonly pauseAfterFailures: string;
  readonly paused: boolean;
}

/** The fields that show their own errors. */
export const draftFields = [
  'name',
  'cron',
  'timezone',
  'prompt',
  'workflowId',
  'catchUpSeconds',
  'jitterSeconds',
  'maxAttempts',
  'pauseAfterFailures',
] as const;
export type DraftField = (typeof draftFields)[number];
const clearable = ['timezone', 'catchUpSeconds', 'jitterSeconds', 'maxAttempts', 'pauseAfterFailures'] as const;

/** The initial draft of a form: that of a schedule, or of a new one. */
export function draftOf(schedule: Schedule | undefined): Draft {
  const number = (value = 0): string => (value === 0 ? '' : String(value));
  return {
    name: schedule?.name ?? '',
    cron: schedule?.cron ?? '',
    timezone: schedule?.timezone ?? '',
    prompt: schedule?.prompt ?? '',
    workflowId: schedule?.workflowId ?? '',
    hideAgents: schedule?.hideAgents ?? false,
    missed: schedule?.missed ?? MissedPolicy.RUN_ONCE,
    overlap: schedule?.overlap ?? OverlapPolicy.ALLOW,
    catchUpSeconds: number(schedule?.catchUpSeconds),
    jitterSeconds: number(schedule?.jitterSeconds),
    maxAttempts: number(schedule?.maxAttempts),
    pauseAfterFailures: number(schedule?.pauseAfterFailures),
    paused: false,
  };
}

function numbersOf({ catchUpSeconds, jitterSeconds, maxAttempts, pauseAfterFailures }: Draft) {
  return {
    catchUpSeconds: Number(catchUpSeconds),
    jitterSeconds: Number(jitterSeconds),
    maxAttempts: Number(maxAttempts),
    pauseAfterFailures: Number(pauseAfterFailures),
  };
}

/** Creates a schedule from a draft, or changes one. Emptied fields return to their defaults. */
export async function save(draft: Draft, scheduleId: string | undefined): Promise<Schedule | undefined> {
  const given = { ...draft, ...numbersOf(draft) };
  if (scheduleId === undefined) return (await schedules.createSchedule(given)).schedule;
  const clear = clearable.filter((field) => draft[field] === '');
  return (await schedules.updateSchedule({ ...given, scheduleId, clear })).schedule;
}
