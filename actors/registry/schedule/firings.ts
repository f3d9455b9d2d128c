import { advanceInstance, beginInstances, type Kind, type WriteContext } from '#actors/registry/kernel/instance.ts';
import type { FactKind } from '#contract/fact/fact.ts';
import { begin } from '#machines/decide.ts';
import { firingDefinition, type firingMachine } from '#machines/schedule/firing.ts';
import { type FiringEvent, type FiringInput, readFiringContext } from '#machines/schedule/firing-context.ts';
import { firingPhase, isSeen } from '#machines/schedule/firing-fact.ts';
import {
  type ScheduleEvent,
  scheduleDefinition,
  type scheduleMachine,
  scheduleViewOf,
} from '#machines/schedule/schedule.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import type { NewFiring } from '#store/schedule/firing-table.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import type { Tables } from '#store/tables.ts';
import { nextOccurrence } from './occurrences.ts';

/** How many firings of a schedule are kept. */
const maxKept = 1_000;
const ends = new Set(['completed', 'cancelled', 'discarded']);

/** A new firing of an occurrence. */
export function newFiring(schedule: string, scheduledFor: number, input: FiringInput, now: number): NewFiring {
  const snapshot = firstSnapshot(input);
  return {
    schedule,
    scheduledFor,
    snapshot,
    ...columnsOf(snapshot),
    createdAt: now,
    finalizedAt: finalizedAt(snapshot, now),
  };
}

/** Saves new firings. Skips those that exist already; returns the others. */
export function insertFirings(tables: Tables, born: readonly NewFiring[]): Promise<readonly StoredFiring[]> {
  return beginInstances(tables, 'firing', born);
}

const firstSnapshots = new Map<string, StoredFiring['snapshot']>();

/** The first snapshot of a firing. Cached, because thousands with the same input may begin at the same moment. */
function firstSnapshot(input: FiringInput): StoredFiring['snapshot'] {
  const key = JSON.stringify(input);
  const snapshot = firstSnapshots.get(key) ?? begin(firingDefinition, input).snapshot;
  if (firstSnapshots.size > 1_000) firstSnapshots.clear();
  firstSnapshots.set(key, snapshot);
  return snapshot;
}

const firingKind: Kind<'firing', typeof firingMachine> = {
  machine: 'firing',
  definition: firingDefinition,
  columns: (snapshot, now) => ({ ...columnsOf(snapshot), finalizedAt: finalizedAt(snapshot, now) }),
  toFact: ({ kind, detail }, { id, schedule }) => ({ kind, subjectId: schedule, detail: { runId: id, ...detail } }),
};

export const scheduleKind: Kind<'schedule', typeof scheduleMachine> = {
  machine: 'schedule',
  definition: scheduleDefinition,
  columns(snapshot, now, before) {
    const is = scheduleViewOf(snapshot).enabled;
    if (scheduleViewOf(before.snapshot).enabled === is) return {};
    return { ...placeFrom(before, is, now), updatedAt: now };
  },
  toFact: ({ kind, detail }, { id, name }) => ({
    kind,
    subjectId: id,
    detail: kind === 'schedule.created' ? { name } : detail,
  }),
};

/**
 * Sends an event to a firing's machine; returns the updated firing, or undefined if its state does not accept the
 * event.
 */
export async function advanceFiring(
  writing: WriteContext,
  firing: StoredFiring,
  event: FiringEvent,
): Promise<StoredFiring | undefined> {
  const { tables, now } = writing;
  const advanced = await advanceInstance(writing, firingKind, firing, event);
  if (advanced === undefined || !isSeen(firing.snapshot, advanced.snapshot)) return advanced;
  await tables.schedules.touch(firing.schedule, { movedSeq: await tables.facts.newest(), updatedAt: now });
  if (ends.has(advanced.state)) await tables.firings.keep(firing.schedule, maxKept);
  if (advanced.state !== 'completed' && advanced.state !== 'discarded') return advanced;
  const schedule = await tables.schedules.find(firing.schedule);
  if (schedule === undefined) return advanced;
  const { pauseAfter } = schedule;
  const isCompleted = advanced.state === 'completed';
  await advanceSchedule(
    writing,
    schedule,
    isCompleted ? { type: 'FIRING_COMPLETED' } : { type: 'FIRING_DISCARDED', pauseAfter },
  );
  return advanced;
}

/**
 * Sends an event to a schedule's machine; returns the updated schedule, or undefined if its state does not accept the
 * event.
 */
export async function advanceSchedule(
  writing: WriteContext,
  schedule: StoredSchedule,
  event: ScheduleEvent,
): Promise<StoredSchedule | undefined> {
  const { tables } = writing;
  const advanced = await advanceInstance(writing, scheduleKind, schedule, event);
  if (advanced === undefined) return undefined;
  const isPaused = scheduleViewOf(schedule.snapshot).enabled && !scheduleViewOf(advanced.snapshot).enabled;
  if (!isPaused) return advanced;
  for (const firing of await tables.firings.liveOf(schedule.id)) {
    if (firingPhase(firing.snapshot) === 'running') continue;
    await advanceFiring(writing, firing, { type: 'CANCEL', reason: 'the schedule was paused' });
  }
  return (await tables.schedules.find(schedule.id)) ?? advanced;
}

/** The columns of a schedule that counts from now: earlier occurrences are not decided. */
export function placeFrom(
  timing: Pick<StoredSchedule, 'cron' | 'timezone'>,
  enabled: boolean,
  now: number,
): Pick<StoredSchedule, 'decidedUpTo' | 'nextAt'> {
  return { decidedUpTo: now, nextAt: enabled ? (nextOccurrence(timing, now) ?? null) : null };
}

/** Publishes a fact of a schedule, and updates its row so that watches include it. */
export async function publish(
  { tables, now }: WriteContext,
  scheduleId: string,
  kind: FactKind,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tables.facts.append([{ kind, subjectId: scheduleId, detail }]);
  await tables.schedules.touch(scheduleId, { movedSeq: await tables.facts.newest(), updatedAt: now });
}

function columnsOf(snapshot: StoredFiring['snapshot']): Pick<StoredFiring, 'state' | 'dueAt' | 'agent'> {
  const { until, agentId } = readFiringContext(snapshot);
  return { state: firingPhase(snapshot), dueAt: until, agent: agentId };
}

function finalizedAt(snapshot: StoredFiring['snapshot'], now: number): number | null {
  return ends.has(firingPhase(snapshot)) ? now : null;
}
