import type { Client } from '#cli/client/client.ts';
import { everyPage } from '#cli/client/pages.ts';
import { Failure } from '#contract/failure.ts';
import { nearest } from '#contract/parse/nearest.ts';
import type { Schedule } from '#contract/schedule.ts';

/** Every schedule, most recently updated first. */
export function everySchedule(client: Client): Promise<Schedule[]> {
  return everyPage(
    (pagination) => client.call('schedule.v1.ScheduleService/ListSchedules', { pagination }),
    (page) => page.schedules,
  );
}

/** The schedule that a person means, by id or name. @throws NOT_FOUND naming those there are. */
export async function findSchedule(client: Client, said: string): Promise<Schedule & { readonly id: string }> {
  const schedules = await everySchedule(client);
  const found = schedules.find(({ id }) => id === said) ?? schedules.find(({ name }) => name === said);
  if (found?.id) return { ...found, id: found.id };
  const names = schedules.flatMap(({ name }) => name ?? []);
  const near = nearest(said, names);
  const help = near
    ? `did you mean ${near}?`
    : names.length > 0
      ? `there are ${names.slice(0, 8).join(', ')}`
      : 'make one with `muster schedule create`';
  throw new Failure('SCHEDULE_NOT_FOUND', `there is no schedule ${JSON.stringify(said)}: ${help}`, {
    metadata: { scheduleId: said },
  });
}
