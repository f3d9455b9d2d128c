import { useQuery } from '@tanstack/react-query';
import { schedules } from './client.ts';
import { daysShown } from './days.ts';

/** The next firings of a schedule. */
export interface UpcomingTimes {
  /** In milliseconds since 1970, the next one first. */
  readonly times: readonly number[];
  /** Whether there are more firings in the requested days. */
  readonly more: boolean;
}

/** How often the calendar moves on with the clock, in milliseconds. The stream delivers all other changes. */
const rollMs = 600_000;

/** The time until a firing, in milliseconds, and not more than a timer can wait; false if there is no firing. */
function untilPast(time: number | undefined): number | false {
  return time === undefined ? false : Math.min(Math.max(time - Date.now(), 0) + 1_000, rollMs);
}

/** When armed schedules fire in the days that the calendar shows, by the schedule's id. Computed by the service. */
export function useUpcomingTimes(): ReadonlyMap<string, UpcomingTimes> {
  const { data } = useQuery({
    queryKey: ['coming'],
    queryFn: async ({ signal }) => {
      const { coming } = await schedules.listComingFirings({ days: daysShown, limit: 200 }, { signal });
      return new Map(coming.map(({ scheduleId, times, more }) => [scheduleId, { times: times.map(Date.parse), more }]));
    },
    refetchInterval: rollMs,
  });
  return data ?? new Map<string, UpcomingTimes>();
}

/** When a schedule fires next, even if it is paused. */
export function useNextTimes(scheduleId: string) {
  return useQuery({
    queryKey: ['coming', scheduleId],
    queryFn: async ({ signal }) => {
      const answer = await schedules.listComingFirings({ scheduleId, days: 3_660, limit: 5 }, { signal });
      return { times: (answer.coming[0]?.times ?? []).map(Date.parse), timezone: answer.timezone };
    },
    refetchInterval: ({ state }) => untilPast(state.data?.times[0]),
  });
}

/** When an expression that is being edited would fire. The service refuses an invalid expression. */
export function useTriedTimes(cron: string, timezone: string) {
  return useQuery({
    queryKey: ['coming', 'tried', cron, timezone],
    queryFn: async ({ signal }) => {
      const answer = await schedules.listComingFirings({ cron, timezone, days: 3_660, limit: 5 }, { signal });
      return { times: (answer.coming[0]?.times ?? []).map(Date.parse), timezone: answer.timezone };
    },
    enabled: cron.trim() !== '',
    retry: false,
  });
}
