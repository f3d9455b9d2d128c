import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { Failure } from '#contract/failure.ts';
import { openingOf, type View } from '#contract/page.ts';
import { quoted } from '#contract/quoted.ts';
import type { MissedPolicy, OverlapPolicy, Schedule, ScheduleRun, ScheduleRunState } from '#contract/schedule.ts';
import { readFiringContext } from '#machines/schedule/firing-context.ts';
import { firingPhase } from '#machines/schedule/firing-fact.ts';
import { scheduleViewOf } from '#machines/schedule/schedule.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import type { Tables } from '#store/tables.ts';

const states: Readonly<Record<string, ScheduleRunState>> = {
  available: 'SCHEDULE_RUN_STATE_AVAILABLE',
  pending: 'SCHEDULE_RUN_STATE_PENDING',
  scheduled: 'SCHEDULE_RUN_STATE_SCHEDULED',
  running: 'SCHEDULE_RUN_STATE_RUNNING',
  cancelling: 'SCHEDULE_RUN_STATE_RUNNING',
  retryable: 'SCHEDULE_RUN_STATE_RETRYABLE',
  completed: 'SCHEDULE_RUN_STATE_COMPLETED',
  cancelled: 'SCHEDULE_RUN_STATE_CANCELLED',
  discarded: 'SCHEDULE_RUN_STATE_DISCARDED',
};

/** The names of policies in the database and in the contract. */
export const missedPolicies = {
  'run-once': 'MISSED_POLICY_RUN_ONCE',
  'run-all': 'MISSED_POLICY_RUN_ALL',
  skip: 'MISSED_POLICY_SKIP',
} as const satisfies Record<StoredSchedule['missed'], MissedPolicy>;
export const overlapPolicies = {
  allow: 'OVERLAP_POLICY_ALLOW',
  skip: 'OVERLAP_POLICY_SKIP',
  wait: 'OVERLAP_POLICY_WAIT',
} as const satisfies Record<StoredSchedule['overlap'], OverlapPolicy>;

/** A firing as a message of the contract. */
export function runOf({ id, scheduledFor, snapshot, agent, finalizedAt }: StoredFiring): ScheduleRun {
  const { attempt, maxAttempts, message } = readFiringContext(snapshot);
  return {
    id: String(id),
    scheduledFor: timeOf(scheduledFor),
    state: states[firingPhase(snapshot)] ?? 'SCHEDULE_RUN_STATE_UNSPECIFIED',
    attempt,
    maxAttempts,
    finalizedAt: finalizedAt == null ? undefined : timeOf(finalizedAt),
    message,
    agentId: agent ?? undefined,
  };
}

/** What a schedule's message needs in addition to the schedule's row. */
interface ScheduleDetails {
  readonly view?: View | undefined;
  /** Newest first. */
  readonly runs: readonly StoredFiring[];
  /** Whether to include all of `runs`, not only the latest. */
  readonly recent?: boolean;
}

/** A schedule as a message of the contract, with its complete prompt in a full view, otherwise with the beginning. */
export function scheduleOf(stored: StoredSchedule, { view, runs, recent = false }: ScheduleDetails): Schedule {
  const { enabled, reason, isStuck } = scheduleViewOf(stored.snapshot);
  const { opening, openingCut } = openingOf(stored.prompt);
  const isCut = openingCut && view !== 'VIEW_FULL';
  const [latest] = runs;
  return {
    id: stored.id,
    name: stored.name,
    cron: stored.cron,
    timezone: stored.timezone,
    enabled,
    hideAgents: stored.hideAgents,
    prompt: isCut ? opening : stored.prompt,
    workflowId: stored.workflowId,
    nextRunAt: enabled && stored.nextAt != null ? timeOf(stored.nextAt) : undefined,
    promptTruncated: isCut,
    latestRun: latest && runOf(latest),
    recentRuns: recent ? runs.map(runOf) : [],
    missed: missedPolicies[stored.missed],
    catchUpSeconds: stored.catchUp / 1000,
    overlap: overlapPolicies[stored.overlap],
    jitterSeconds: stored.jitter / 1000,
    maxAttempts: stored.maxAttempts,
    pauseAfterFailures: stored.pauseAfter,
    isolation: stored.isolation ?? undefined,
    pausedReason: reason,
    pausedByFailures: isStuck,
    createdAt: timeOf(stored.createdAt),
    updatedAt: timeOf(stored.updatedAt),
  };
}

/** A schedule with its complete prompt and its latest run. */
export async function wholeSchedule({ firings }: Tables, stored: StoredSchedule): Promise<Schedule> {
  return scheduleOf(stored, { view: 'VIEW_FULL', runs: await firings.page(stored.id, undefined, 1) });
}

/** The schedule with an id. @throws NOT_FOUND when there is none */
export async function findSchedule({ schedules }: Tables, id: string): Promise<StoredSchedule> {
  const schedule = await schedules.find(id);
  if (schedule !== undefined) return schedule;
  throw new Failure('SCHEDULE_NOT_FOUND', `There is no schedule ${quoted(id)}: list_schedules lists them`, {
    field: 'scheduleId',
    metadata: { scheduleId: id },
  });
}

/** The firing with an id. @throws NOT_FOUND when there is none */
export async function findRun({ firings }: Tables, id: string): Promise<StoredFiring> {
  const run = Number.isSafeInteger(Number(id)) ? await firings.find(Number(id)) : undefined;
  if (run !== undefined) return run;
  throw new Failure(
    'SCHEDULE_RUN_NOT_FOUND',
    `There is no run ${quoted(id)} on record: list_schedule_runs lists them`,
    { metadata: { runId: id } },
  );
}
