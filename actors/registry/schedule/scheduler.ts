import { createHash } from 'node:crypto';
import { change } from '#actors/registry/agent/change.ts';
import type { WriteScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { FiringInput } from '#machines/schedule/firing-context.ts';
import type { NewFiring } from '#store/schedule/firing-table.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import { FiringAdmission } from './firing-admission.ts';
import { advanceFiring, insertFirings, newFiring } from './firings.ts';
import { decideOccurrences, nextOccurrence } from './occurrences.ts';
import type { ScheduleScope } from './schedule-scope.ts';

type Scope = WriteScope & Pick<ScheduleScope, 'log' | 'clockSteps'>;

/** How many schedules are decided, and how many firings are woken, in one transaction. */
const atOnce = { schedules: 1_000, firings: 200 } as const;
/** The pause before a schedule that could not be decided is tried again, in milliseconds. */
const undecidedAgain = 60_000;

/** One round: decides due occurrences, and wakes due firings. Returns whether there may be more. */
export async function scheduleRound(scope: Scope): Promise<boolean> {
  const now = scope.clock.now();
  // Write only if there is something to do: every write clears caches that are valid until the next write.
  const { due, waking } = await scope.store.read(async (tables) => ({
    due: (await tables.schedules.due(now, 1)).length,
    waking: (await tables.firings.waking(now, 1)).length,
  }));
  const decided = due > 0 ? await change(scope, (writing) => decideDue(writing, scope)) : 0;
  const woken = waking > 0 ? await change(scope, (writing) => wakeDue(writing, scope)) : 0;
  return decided === atOnce.schedules || woken === atOnce.firings;
}

/** Recomputes the next occurrence of every armed schedule, because timezone rules may have changed. */
export async function recompute(scope: Scope): Promise<void> {
  for (let after = ''; ; ) {
    const last = await change(scope, async ({ tables: { schedules } }) => {
      const page = await schedules.armed(after, atOnce.schedules);
      for (const schedule of page) {
        const { id, decidedUpTo } = schedule;
        const nextAt = nextOccurrence(schedule, decidedUpTo) ?? null;
        if (nextAt !== schedule.nextAt) await schedules.advance(id, { decidedUpTo, nextAt });
      }
      return page.at(-1)?.id;
    });
    if (last === undefined) return;
    after = last;
  }
}

async function decideDue(writing: Change, { log, clockSteps }: Scope): Promise<number> {
  const { tables, now } = writing;
  if (!(await clockSteps.isCurrent(tables))) return 0;
  const due = await tables.schedules.claimDue(now, atOnce.schedules);
  const admissions = new FiringAdmission(tables, now);
  const [firings, places]: [NewFiring[], Map<string, Pick<StoredSchedule, 'decidedUpTo' | 'nextAt'>>] = [[], new Map()];
  for (const schedule of due) {
    try {
      const { decisions, upTo, next } = decideOccurrences(schedule, now);
      for (const { at, reason } of decisions) {
        const input =
          reason === '' ? await initialInput(schedule, at, admissions, now, firings) : skipped(schedule, reason);
        firings.push(newFiring(schedule.id, at, input, now));
      }
      places.set(schedule.id, { decidedUpTo: upTo, nextAt: next ?? null });
    } catch (error) {
      log.error({ err: error, scheduleId: schedule.id }, 'a schedule could not be processed and is postponed');
      await tables.schedules.advance(schedule.id, {
        decidedUpTo: schedule.decidedUpTo,
        nextAt: now + undecidedAgain,
      });
    }
  }
  await insertFirings(tables, firings);
  const advanced = [...places];
  const facts = advanced.map(([subjectId, { nextAt }]) => ({
    kind: 'schedule.fired' as const,
    subjectId,
    detail: { nextAt },
  }));
  const movedSeq = (await tables.facts.append(facts)) ?? 0n;
  await tables.schedules.advanceAll(
    advanced.map(([id, place]) => ({ id, ...place })),
    { updatedAt: now, movedSeq },
  );
  return due.length;
}

function skipped({ maxAttempts }: StoredSchedule, message: string): FiringInput {
  return { state: 'cancelled', maxAttempts, until: null, message };
}

/** The input of a new firing: later if the schedule has jitter, otherwise as `FiringAdmission` decides. */
async function initialInput(
  schedule: StoredSchedule,
  at: number,
  admissions: FiringAdmission,
  now: number,
  siblings: readonly NewFiring[],
): Promise<FiringInput> {
  const { maxAttempts, overlap } = schedule;
  const until = at + spreadOf(schedule);
  // If an earlier firing of the same schedule is not saved yet, `FiringAdmission` decides about this one later.
  const isBehind =
    overlap !== 'allow' && siblings.some((one) => one.schedule === schedule.id && one.finalizedAt === null);
  if (until > now || isBehind) return { state: 'scheduled', maxAttempts, until: Math.max(until, now), message: '' };
  const { may, reason: message } = await admissions.admission(schedule);
  const state = ({ start: 'available', wait: 'pending', skip: 'cancelled' } as const)[may];
  return { state, maxAttempts, until: null, message };
}

/** A schedule's jitter in milliseconds. It depends only on the id, so that every registry computes the same. */
function spreadOf({ id, jitter }: StoredSchedule): number {
  return jitter === 0 ? 0 : createHash('sha256').update(id).digest().readUInt32BE() % jitter;
}

async function wakeDue(writing: Change, { clockSteps }: Scope): Promise<number> {
  const { tables, now } = writing;
  if (!(await clockSteps.isCurrent(tables))) return 0;
  const due = await tables.firings.waking(now, atOnce.firings);
  const admissions = new FiringAdmission(tables, now);
  for (const firing of due) {
    const schedule = await tables.schedules.find(firing.schedule);
    if (firing.state === 'scheduled' && schedule !== undefined) {
      const { may, reason } = await admissions.admission(schedule, firing);
      if (may !== 'start') {
        await advanceFiring(writing, firing, { type: may === 'wait' ? 'WAIT' : 'SKIP', reason });
        continue;
      }
    }
    await advanceFiring(writing, firing, { type: 'DUE', now, until: now, reason: '' });
  }
  return due.length;
}
