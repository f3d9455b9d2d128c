import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { follow } from '#page/api/follow.ts';
import type { Schedule, WatchSchedulesResponse } from '#page/client/schedule/v1/schedule_pb.js';
import { schedules } from './client.ts';

/** Every schedule, as the stream last told it. */
interface Known {
  readonly all: ReadonlyMap<string, Schedule>;
  /** Whether all have been told once. */
  readonly whole: boolean;
}

const key = ['schedules', 'watched'] as const;
const nothing: Known = { all: new Map(), whole: false };
const told = { queryKey: key, queryFn: () => nothing, enabled: false, structuralSharing: false } as const;

/** Every schedule, kept up to date while a screen uses it, in the order of their names. */
export function useSchedules(): { readonly list: readonly Schedule[]; readonly whole: boolean } {
  const queries = useQueryClient();
  useEffect(() => {
    const watching = new AbortController();
    void follow<WatchSchedulesResponse>({
      open: (cursor, signal) => schedules.watchSchedules({ cursor }, { signal }),
      hear: (answer, isFirst) => {
        const known = queries.getQueryData<Known>(key) ?? nothing;
        queries.setQueryData<Known>(key, withNews(known, answer, isFirst));
        if (answer.schedules.length + answer.goneScheduleIds.length === 0) return;
        for (const stale of ['coming', 'schedule', 'schedule-runs']) {
          void queries.invalidateQueries({ queryKey: [stale] });
        }
      },
      signal: watching.signal,
    });
    return () => watching.abort();
  }, [queries]);
  const { data = nothing } = useQuery<Known>(told);
  const list = [...data.all.values()].sort((one, other) => one.name.localeCompare(other.name));
  return { list, whole: data.whole };
}

/** An answer without news ends the opening: all has been told. */
function withNews({ all, whole }: Known, answer: WatchSchedulesResponse, isFirst: boolean): Known {
  const next = new Map(isFirst ? [] : all);
  for (const schedule of answer.schedules) next.set(schedule.id, schedule);
  for (const id of answer.goneScheduleIds) next.delete(id);
  return { all: next, whole: whole || answer.schedules.length === 0 };
}

/** One schedule, as the stream last told it. */
export function useKnownSchedule(scheduleId: string): Schedule | undefined {
  const { data } = useQuery({ ...told, select: (known: Known) => known.all.get(scheduleId) ?? null });
  return data ?? undefined;
}
