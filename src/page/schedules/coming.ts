import { useQuery } from '@tanstack/react-query';
import { schedules } from './client.ts';
import { daysShown } from './days.ts';

/** When one schedule fires. */
export interface Coming {
  /** In milliseconds since 1970, the next one first. */
  readonly times: readonly number[];
  /** Whether more come in the days that were asked for. */
  readonly more: boolean;
}

/** So often the calendar’s days move on with the clock, in milliseconds. All other changes arrive by the stream. */
const rollMs = 600_000;

/** How long a time is still to come, in milliseconds, and no longer than a timer can wait; false if none is known. */
function untilPast(time: number | undefined): number | false {
  return time === undefined ? false : Math.min(Math.max(time - Date.now(), 0) + 1_000, rollMs);
}

/** When armed schedules fire in the days that the calendar shows, by the schedule's id: computed by the service. */
export function useComing(): ReadonlyMap<string, Coming> {
  const { data } = useQuery({
    queryKey: ['coming'],
    queryFn: async ({ signal }) => {
      const { coming } = await schedules.listComingFirings({ days: daysShown, limit: 200 }, { signal });
      return new Map(coming.map(({ scheduleId, times, more }) => [scheduleId, { times: times.map(Date.parse), more }]));
    },
    refetchInterval: rollMs,
  });
  return data ?? new Map<string, Coming>();
}

/** When a schedule fires next, also while it is paused. */
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

/** When an expression that is being written would fire; refused if it cannot be read. */
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
