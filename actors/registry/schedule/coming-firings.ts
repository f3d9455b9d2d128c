import type { z } from 'zod';
import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { Failure } from '#contract/failure.ts';
import { listComingFirings } from '#contract/operations/schedule.ts';
import { pageSize } from '#contract/page.ts';
import type { Tables } from '#store/tables.ts';
import { checkZone, localZoneName } from '#world/cron/zone.ts';
import { occurrencesWithin, type Timing } from './occurrences.ts';
import { findSchedule } from './schedule-resource.ts';

const day = 86_400_000;
const defaults = { days: 7, limit: 50 } as const;

type Request = z.output<typeof listComingFirings.request>;

/** Lists the next occurrences of all armed schedules, of one schedule, or of a given expression. */
export const listComingFiringsHandler = handler(listComingFirings, async (request, _caller, { store, clock }) => {
  const after = clock.now();
  const until = after + (request.days || defaults.days) * day;
  const limit = request.limit || defaults.limit;
  const asked = await store.read((tables) => timingsOf(tables, request));
  const coming = asked.map(({ scheduleId, timing }) => {
    const { times, more } = occurrencesWithin(timing, { after, until, limit });
    return { scheduleId, times: times.map(timeOf), more };
  });
  return { coming, timezone: localZoneName() };
});

async function timingsOf(
  tables: Tables,
  { scheduleId, cron, timezone = '' }: Request,
): Promise<readonly { readonly scheduleId?: string; readonly timing: Timing }[]> {
  if (scheduleId && cron) {
    throw new Failure('CONFLICTING_FIELDS', 'Both scheduleId and cron are given: give one of them, or none', {
      field: 'cron',
    });
  }
  if (cron) {
    checkZone(timezone);
    return [{ timing: { cron, timezone } }];
  }
  if (scheduleId) return [{ scheduleId, timing: await findSchedule(tables, scheduleId) }];
  const armed = await tables.schedules.soonest(pageSize.max);
  return armed.map((schedule) => ({ scheduleId: schedule.id, timing: schedule }));
}
