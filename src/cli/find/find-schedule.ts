import type { Client } from '#cli/client/client.ts';
import { everyPage } from '#cli/client/pages.ts';
import { Failure } from '#contract/failure.ts';
import type { Schedule } from '#contract/schedule.ts';
import { findNamed, namesToChoose } from './find-named.ts';

/** Every schedule, most recently updated first. */
export function everySchedule(client: Client): Promise<Schedule[]> {
  return everyPage(
    (pagination) => client.call('schedule.v1.ScheduleService/ListSchedules', { pagination }),
    (page) => page.schedules,
  );
}

/** Finds a schedule by id or name. @throws NOT_FOUND listing those that exist */
export async function findSchedule(client: Client, nameOrId: string): Promise<Schedule & { readonly id: string }> {
  const schedules = await everySchedule(client);
  const found = findNamed(schedules, nameOrId);
  if (found !== undefined) return found;
  const help = namesToChoose(schedules, nameOrId, 'muster schedule create');
  throw new Failure('SCHEDULE_NOT_FOUND', `there is no schedule ${JSON.stringify(nameOrId)}: ${help}`, {
    metadata: { scheduleId: nameOrId },
  });
}
