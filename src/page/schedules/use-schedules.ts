import { useQuery } from '@tanstack/react-query';
import type { Schedule } from '#page/client/schedule/v1/schedule_pb.js';
import { schedules } from './client.ts';

const pageSize = 200;

/** All schedules, ordered by name. */
async function listAll(signal: AbortSignal): Promise<readonly Schedule[]> {
  const all = new Map<string, Schedule>();
  for (let cursor = ''; ; ) {
    const page = await schedules.listSchedules({ pagination: { cursor, pageSize } }, { signal });
    for (const schedule of page.schedules) all.set(schedule.id, schedule);
    cursor = page.nextPageToken;
    if (cursor === '') return [...all.values()].sort((one, other) => one.name.localeCompare(other.name));
  }
}

const asked = { queryKey: ['schedules'], queryFn: ({ signal }: { signal: AbortSignal }) => listAll(signal) } as const;

/** All schedules, ordered by name. */
export function useSchedules() {
  return useQuery(asked);
}

/** A schedule, as in the list. */
export function useKnownSchedule(scheduleId: string): Schedule | undefined {
  const { data } = useQuery({ ...asked, select: (all) => all.find(({ id }) => id === scheduleId) ?? null });
  return data ?? undefined;
}
