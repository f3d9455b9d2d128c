import type { z } from 'zod';
import { cleanName } from '#actors/registry/agent/agent-name.ts';
import { change } from '#actors/registry/agent/change.ts';
import { removeBudget } from '#actors/registry/budget/count-budgets.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { beginInstance } from '#actors/registry/kernel/instance.ts';
import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { findWorkflow } from '#actors/registry/workflow/workflow-resource.ts';
import { Failure } from '#contract/failure.ts';
import {
  cancelScheduleRun,
  createSchedule,
  deleteSchedule,
  fireSchedule,
  pauseSchedule,
  resumeSchedule,
  retryScheduleRun,
  updateSchedule,
} from '#contract/operations/schedule.ts';
import { quoted } from '#contract/quoted.ts';
import type { Schedule, ScheduleRun } from '#contract/schedule.ts';
import type { FiringEvent } from '#machines/schedule/firing-context.ts';
import { type ScheduleEvent, scheduleViewOf } from '#machines/schedule/schedule.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import { readCron } from '#world/cron/expression.ts';
import { checkZone } from '#world/cron/zone.ts';
import {
  advanceFiring,
  advanceSchedule,
  insertFirings,
  newFiring,
  placeFrom,
  publish,
  scheduleKind,
} from './firings.ts';
import { findRun, findSchedule, missedPolicies, overlapPolicies, runOf, wholeSchedule } from './schedule-resource.ts';

/** The fields of a schedule that people set. */
type Fields = Pick<
  StoredSchedule,
  | 'name'
  | 'cron'
  | 'timezone'
  | 'prompt'
  | 'workflowId'
  | 'hideAgents'
  | 'missed'
  | 'catchUp'
  | 'overlap'
  | 'jitter'
  | 'maxAttempts'
  | 'pauseAfter'
  | 'isolation'
>;
type ScheduleFields = Omit<z.output<typeof updateSchedule.request>, 'scheduleId' | 'clear'>;
type Clearable = NonNullable<z.output<typeof updateSchedule.request>['clear']>[number];

/** Default values of fields. */
const defaults: Omit<Fields, 'name' | 'cron' | 'prompt' | 'workflowId'> = {
  timezone: '',
  hideAgents: false,
  missed: 'run-once',
  catchUp: 86_400_000,
  overlap: 'allow',
  jitter: 0,
  maxAttempts: 3,
  pauseAfter: 0,
  isolation: null,
};
const columnOf = {
  timezone: 'timezone',
  catchUpSeconds: 'catchUp',
  jitterSeconds: 'jitter',
  maxAttempts: 'maxAttempts',
  pauseAfterFailures: 'pauseAfter',
  isolation: 'isolation',
} as const satisfies Record<Clearable, keyof typeof defaults>;

/** Creates a schedule. */
export const createScheduleHandler = handler(createSchedule, async ({ paused = false, ...given }, _caller, scope) => {
  const fields = merged({ ...defaults, name: '', cron: '', prompt: '', workflowId: '' }, given);
  check(fields, given);
  return change(scope, async (writing) => {
    const { tables, ids, now } = writing;
    await findWorkflow(tables.workflows, fields.workflowId);
    const id = ids.id('sch');
    await checkNameIsFree(writing, id, fields.name);
    const row = { id, ...fields, ...placeFrom(fields, !paused, now), createdAt: now, updatedAt: now };
    const enabled = !paused;
    const made = await beginInstance(writing, scheduleKind, { enabled }, (snapshot) => ({ ...row, snapshot }));
    return { schedule: await wholeSchedule(tables, made) };
  });
});

/** Changes the fields that are set in the request. A field that is both set and cleared is set. */
export const updateScheduleHandler = handler(updateSchedule, (request, _caller, scope) => {
  const { scheduleId, clear = [], ...given } = request;
  return change(scope, async (writing) => {
    const { tables, now } = writing;
    const before = await findSchedule(tables, scheduleId);
    const cleared = Object.fromEntries(clear.map((field) => [columnOf[field], defaults[columnOf[field]]]));
    const next = merged({ ...before, ...cleared }, given);
    check(next, given);
    if (given.workflowId) await findWorkflow(tables.workflows, given.workflowId);
    await checkNameIsFree(writing, scheduleId, next.name);
    const changed = fieldsOf(next).filter((field) => next[field] !== before[field]);
    if (changed.length === 0) return { schedule: await wholeSchedule(tables, before) };
    const isTimeNew = next.cron !== before.cron || next.timezone !== before.timezone;
    const place = isTimeNew ? placeFrom(next, scheduleViewOf(before.snapshot).enabled, now) : {};
    const edited = Object.fromEntries(changed.map((field) => [field, next[field]]));
    await tables.schedules.edit(scheduleId, { ...edited, ...place });
    if (next.hideAgents !== before.hideAgents) await tables.schedules.hideAgents(scheduleId, next.hideAgents);
    await publish(writing, scheduleId, 'schedule.changed', { fields: changed });
    return { schedule: await wholeSchedule(tables, await findSchedule(tables, scheduleId)) };
  });
});

/** Deletes a schedule with its firings. */
export const deleteScheduleHandler = handler(deleteSchedule, ({ scheduleId }, _caller, scope) =>
  change(scope, async (writing) => {
    const { tables } = writing;
    const { name } = await findSchedule(tables, scheduleId);
    await tables.firings.forget(scheduleId);
    await tables.schedules.remove(scheduleId);
    await removeBudget(tables, scheduleId);
    await tables.facts.append([{ kind: 'schedule.deleted', subjectId: scheduleId, detail: { name } }]);
    return {};
  }),
);

/** Stops a schedule from firing. */
export const pauseScheduleHandler = handler(pauseSchedule, ({ scheduleId }, _caller, scope) =>
  sendSchedule(scope, scheduleId, { type: 'PAUSE', reason: 'paused by a person' }),
);

/** Arms a paused schedule. */
export const resumeScheduleHandler = handler(resumeSchedule, ({ scheduleId }, _caller, scope) =>
  sendSchedule(scope, scheduleId, { type: 'RESUME' }),
);

/** Fires a schedule by hand. */
export const fireScheduleHandler = handler(fireSchedule, ({ scheduleId }, _caller, scope) =>
  change(scope, async (writing) => {
    const { tables, now } = writing;
    const { maxAttempts } = await findSchedule(tables, scheduleId);
    const input = { state: 'available', maxAttempts, until: null, message: '', byHand: true } as const;
    // An occurrence is unique by its time, so two firings in one millisecond get different times.
    for (let at = now; ; at += 1) {
      const [written] = await insertFirings(tables, [newFiring(scheduleId, at, input, now)]);
      if (written === undefined) continue;
      await publish(writing, scheduleId, 'schedule.fired', { byHand: true });
      return { run: runOf(written) };
    }
  }),
);

/** Cancels a firing. */
export const cancelScheduleRunHandler = handler(cancelScheduleRun, ({ runId }, _caller, scope) =>
  change(scope, async (writing) => {
    const run = await findRun(writing.tables, runId);
    if (run.state === 'cancelled') return { run: runOf(run) };
    return {
      run: await advanceRequired(
        writing,
        run,
        { type: 'CANCEL', reason: 'cancelled by a person' },
        'CancelScheduleRun',
      ),
    };
  }),
);

/** Retries a firing now. */
export const retryScheduleRunHandler = handler(retryScheduleRun, ({ runId }, _caller, scope) =>
  change(scope, async (writing) => {
    const run = await findRun(writing.tables, runId);
    return { run: await advanceRequired(writing, run, { type: 'RETRY' }, 'RetryScheduleRun') };
  }),
);

async function advanceRequired(
  writing: Change,
  run: StoredFiring,
  event: FiringEvent,
  method: string,
): Promise<ScheduleRun> {
  const after = await advanceFiring(writing, run, event);
  if (after !== undefined) return runOf(after);
  throw new Failure('WRONG_SCHEDULE_RUN_STATE', `${method} is not possible for run ${run.id} in ${runOf(run).state}`, {
    metadata: { runId: String(run.id), state: String(runOf(run).state) },
  });
}

/** Sends an event to a schedule. A schedule that is already in the requested state is not changed. */
function sendSchedule(scope: KernelScope, scheduleId: string, event: ScheduleEvent): Promise<{ schedule: Schedule }> {
  return change(scope, async (writing) => {
    const schedule = await findSchedule(writing.tables, scheduleId);
    const after = await advanceSchedule(writing, schedule, event);
    return { schedule: await wholeSchedule(writing.tables, after ?? schedule) };
  });
}

function merged<F extends Fields>(fields: F, given: ScheduleFields): F {
  const { name, cron, timezone, prompt, workflowId, hideAgents, missed, overlap } = given;
  const { catchUpSeconds, jitterSeconds, maxAttempts, pauseAfterFailures, isolation } = given;
  return {
    ...fields,
    name: name ? cleanName(name) : fields.name,
    cron: cron?.trim() || fields.cron,
    timezone: timezone || fields.timezone,
    prompt: prompt || fields.prompt,
    workflowId: workflowId || fields.workflowId,
    hideAgents: hideAgents ?? fields.hideAgents,
    missed: keyOf(missedPolicies, missed) ?? fields.missed,
    overlap: keyOf(overlapPolicies, overlap) ?? fields.overlap,
    catchUp: catchUpSeconds ? catchUpSeconds * 1000 : fields.catchUp,
    jitter: jitterSeconds ? jitterSeconds * 1000 : fields.jitter,
    maxAttempts: maxAttempts || fields.maxAttempts,
    pauseAfter: pauseAfterFailures || fields.pauseAfter,
    isolation: isolation && isolation !== 'ISOLATION_UNSPECIFIED' ? isolation : (fields.isolation ?? null),
  };
}

function keyOf<K extends string>(names: Readonly<Record<K, string>>, name: string | undefined): K | undefined {
  return (Object.keys(names) as K[]).find((key) => names[key] === name);
}

function fieldsOf(fields: Fields): (keyof Fields)[] {
  const given = ['name', 'cron', 'prompt', 'workflowId', ...Object.keys(defaults)] as (keyof Fields)[];
  return given.filter((field) => field in fields);
}

/** @throws INVALID_ARGUMENT when the name, expression or timezone is invalid */
function check({ name, cron, timezone }: Fields, given: ScheduleFields): void {
  if (name === '') {
    throw new Failure('INVALID_FIELD', `name is ${quoted(given.name)}, which has no visible character: give another`, {
      field: 'name',
    });
  }
  readCron(cron);
  checkZone(timezone);
}

async function checkNameIsFree({ tables }: Change, id: string, name: string): Promise<void> {
  const holder = await tables.schedules.findByName(name);
  if (holder === undefined || holder.id === id) return;
  throw new Failure('NAME_TAKEN', `Schedule ${holder.id} has the name ${quoted(name)} already: choose another one`, {
    field: 'name',
    metadata: { name, holderId: holder.id },
  });
}
