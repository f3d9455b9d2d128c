import { z } from 'zod';
import { cursorCodec, cursorSeq } from '#actors/registry/kernel/cursor.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import { Failure } from '#contract/failure.ts';
import { getSchedule, listScheduleRuns, listSchedules, watchSchedules } from '#contract/operations/schedule.ts';
import { pageSize } from '#contract/page.ts';
import type { Schedule } from '#contract/schedule.ts';
import { findSchedule, runOf, scheduleOf, wholeSchedule } from './schedule-resource.ts';

const cursors = cursorCodec('schedules', { updatedAt: z.int(), id: z.string() });
const runCursors = cursorCodec('schedule-runs', { scheduleId: z.string(), id: z.int() });
const watchCursors = cursorCodec('watch-schedules', { log: z.string(), seq: cursorSeq, id: z.string().optional() });
/** How many firings of each schedule a watch includes. */
const recent = 10;

/** Lists schedules, most recently updated first. */
export const listSchedulesHandler = handler(listSchedules, ({ pagination, view }, _caller, { store }) => {
  const limit = pageLimit(pagination?.pageSize);
  const after = cursors.read(pagination?.cursor);
  return store.read(async ({ schedules, firings }) => {
    const found = await schedules.page(after, limit + 1);
    const shown: Schedule[] = [];
    for (const one of found.slice(0, limit)) {
      shown.push(scheduleOf(one, { view, runs: await firings.page(one.id, undefined, 1) }));
    }
    const page = fitRows(shown);
    const last = found[page.length - 1];
    const more = last !== undefined && found.length > page.length;
    return {
      schedules: page,
      ...(more ? { nextPageToken: cursors.write({ updatedAt: last.updatedAt, id: last.id }) } : {}),
    };
  });
});

/** Returns one schedule. */
export const getScheduleHandler = handler(getSchedule, ({ scheduleId }, _caller, { store }) =>
  store.read(async (tables) => ({ schedule: await wholeSchedule(tables, await findSchedule(tables, scheduleId)) })),
);

/** Returns every schedule in the order of their last changes, and after that those that change. */
export const watchSchedulesHandler = handler(watchSchedules, ({ cursor, view }, _caller, { store, logLine }) => {
  const at = watchCursors.read(cursor);
  return store.read(async ({ schedules, firings, facts }) => {
    const newest = await facts.lastSeq();
    const from = at === undefined ? 0n : logLine.require('facts', at, newest, cursor ?? '');
    const changed = await schedules.movedAfter({ seq: from, id: at?.id }, pageSize.max);
    const shown: Schedule[] = [];
    for (const one of changed) {
      shown.push(scheduleOf(one, { view, runs: await firings.page(one.id, undefined, recent), recent: true }));
    }
    const page = fitRows(shown);
    const isWhole = page.length === changed.length && changed.length < pageSize.max;
    const last = isWhole ? undefined : changed[page.length - 1];
    const upTo = last?.movedSeq ?? newest;
    // A new watcher has no deleted schedules to remove.
    const gone = from === 0n ? [] : await facts.ofKind('schedule.deleted', from, upTo);
    return {
      schedules: page,
      goneScheduleIds: gone.map(({ subjectId }) => subjectId),
      cursor: watchCursors.write({ log: logLine.name, seq: String(upTo), ...(last && { id: last.id }) }),
    };
  });
});

/** Lists the firings of a schedule, newest first. */
export const listScheduleRunsHandler = handler(listScheduleRuns, ({ scheduleId, pagination }, _caller, { store }) => {
  const limit = pageLimit(pagination?.pageSize);
  const at = runCursors.read(pagination?.cursor);
  if (at !== undefined && at.scheduleId !== scheduleId) {
    throw new Failure('INVALID_CURSOR', 'The cursor belongs to a listing of another schedule: start again', {
      field: 'pagination.cursor',
    });
  }
  return store.read(async (tables) => {
    const { id } = await findSchedule(tables, scheduleId);
    const found = await tables.firings.page(id, at?.id, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const more = last !== undefined && found.length > limit;
    return {
      runs: page.map(runOf),
      ...(more ? { nextPageToken: runCursors.write({ scheduleId, id: last.id }) } : {}),
    };
  });
});
