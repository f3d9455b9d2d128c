import { logTransition } from '#actors/registry/kernel/transition-log.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { FactKind } from '#contract/fact/fact.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { begin, decide } from '#machines/decide.ts';
import { firingLife, firingPhase } from '#machines/schedule/firing.ts';
import type { FiringContext, FiringEvent, FiringInput } from '#machines/schedule/firing-context.ts';
import { type ScheduleEvent, scheduleLife, scheduleViewOf } from '#machines/schedule/schedule.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import type { NewFiring } from '#store/schedule/firing-table.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import type { Tables } from '#store/store.ts';
import { nextOccurrence } from './occurrences.ts';

/** How many firings of a schedule are kept on record. */
const mostKept = 1_000;
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
    finalizedAt: finalOf(snapshot, now),
  };
}

/** Puts firings on record, with how their lives began; gives those that were not on record already. */
export async function insertFirings(
  { firings, transitions }: Tables,
  born: readonly NewFiring[],
): Promise<readonly StoredFiring[]> {
  const written = await firings.insert(born);
  await transitions.appendBirths(
    'firing',
    written.map(({ id, snapshot }) => ({ subject: String(id), to: phaseOf(snapshot.value), snapshot })),
  );
  return written;
}

const firstSnapshots = new Map<string, StoredFiring['snapshot']>();

/** How a firing begins. Thousands begin alike at the same moment. */
function firstSnapshot(input: FiringInput): StoredFiring['snapshot'] {
  const key = JSON.stringify(input);
  const snapshot = firstSnapshots.get(key) ?? begin(firingLife, input).snapshot;
  if (firstSnapshots.size > 1_000) firstSnapshots.clear();
  firstSnapshots.set(key, snapshot);
  return snapshot;
}

/** Tells a firing's machine of an event; gives the firing as it is then, undefined where the event makes no sense. */
export async function moveFiring(
  writing: Change,
  firing: StoredFiring,
  event: FiringEvent,
): Promise<StoredFiring | undefined> {
  const { tables, now } = writing;
  const decision = decide(firingLife, firing.snapshot, event);
  if (decision === undefined) return undefined;
  const { snapshot } = decision;
  const moved = { ...firing, snapshot, ...columnsOf(snapshot), finalizedAt: finalOf(snapshot, now) };
  await tables.firings.save(moved);
  await logTransition(tables, { machine: 'firing', subject: firing.id, before: firing.snapshot, event, decision });
  const { attempt, message } = snapshot.context as FiringContext;
  const isSeen = moved.state !== firing.state || message !== (firing.snapshot.context as FiringContext).message;
  if (!isSeen) return moved;
  const detail = { runId: firing.id, from: firing.state, to: moved.state, attempt, message };
  await tell(writing, firing.schedule, 'schedule.run-moved', detail);
  if (ends.has(moved.state)) await tables.firings.keep(firing.schedule, mostKept);
  const schedule =
    moved.state === 'completed' || moved.state === 'discarded'
      ? await tables.schedules.find(firing.schedule)
      : undefined;
  if (schedule !== undefined) {
    const pauseAfter = schedule.pauseAfter;
    const completed = moved.state === 'completed';
    await moveSchedule(
      writing,
      schedule,
      completed ? { type: 'FIRING_COMPLETED' } : { type: 'FIRING_DISCARDED', pauseAfter },
    );
  }
  return moved;
}

/** Tells a schedule's machine of an event; gives the schedule as it is then, undefined where the event makes no sense. */
export async function moveSchedule(
  writing: Change,
  schedule: StoredSchedule,
  event: ScheduleEvent,
): Promise<StoredSchedule | undefined> {
  const { tables, now } = writing;
  const decision = decide(scheduleLife, schedule.snapshot, event);
  if (decision === undefined) return undefined;
  const was = scheduleViewOf(schedule.snapshot).enabled;
  const is = scheduleViewOf(decision.snapshot).enabled;
  const moved = { ...schedule, snapshot: decision.snapshot, ...(was === is ? {} : placeFrom(schedule, is, now)) };
  await tables.schedules.update(moved);
  await logTransition(tables, {
    machine: 'schedule',
    subject: schedule.id,
    before: schedule.snapshot,
    event,
    decision,
  });
  for (const { kind, detail } of decision.facts) await tell(writing, schedule.id, kind, detail);
  if (was && !is) {
    for (const firing of await tables.firings.liveOf(schedule.id)) {
      if (firingPhase(firing.snapshot) === 'running') continue;
      await moveFiring(writing, firing, { type: 'CANCEL', reason: 'the schedule was paused' });
    }
  }
  return (await tables.schedules.find(schedule.id)) ?? moved;
}

/** Where the deciding of a schedule stands that begins anew now. */
export function placeFrom(
  timing: Pick<StoredSchedule, 'cron' | 'timezone'>,
  enabled: boolean,
  now: number,
): Pick<StoredSchedule, 'decidedUpTo' | 'nextAt'> {
  return { decidedUpTo: now, nextAt: enabled ? (nextOccurrence(timing, now) ?? null) : null };
}

/** Tells a fact of a schedule, which moves with it. */
export async function tell(
  { tables, now }: Change,
  scheduleId: string,
  kind: FactKind,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const movedSeq = (await tables.facts.append([{ kind, subjectId: scheduleId, detail }])) ?? 0n;
  await tables.schedules.touch(scheduleId, { movedSeq, updatedAt: now });
}

function columnsOf(snapshot: StoredFiring['snapshot']): Pick<StoredFiring, 'state' | 'dueAt' | 'agent'> {
  const { until, agentId } = snapshot.context as FiringContext;
  return { state: firingPhase(snapshot), dueAt: until, agent: agentId };
}

function finalOf(snapshot: StoredFiring['snapshot'], now: number): number | null {
  return ends.has(firingPhase(snapshot)) ? now : null;
}
