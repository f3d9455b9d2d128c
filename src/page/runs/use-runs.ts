import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { RunState } from '#page/client/host/v1/host_pb.js';
import { hosts } from '#page/hosts/client.ts';

/** Runs of scripts, newest first; with `failed` those that failed and nobody has looked at. */
export function useRuns(failed: boolean) {
  return useInfiniteQuery({
    queryKey: ['runs', String(failed)],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      hosts.listRunLogs({ failed, pagination: { cursor: pageParam, pageSize: 50 } }, { signal }),
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    // The list stays until the other one is known.
    placeholderData: keepPreviousData,
    refetchInterval: 4_000,
  });
}

/** One run with all of its output, as it grows. */
export function useRun(id: number) {
  return useQuery({
    queryKey: ['run', String(id)],
    queryFn: async ({ signal }) => (await hosts.getRunLog({ id }, { signal })).run ?? null,
    refetchInterval: ({ state }) => (state.data?.state === RunState.RUNNING ? 1_000 : false),
  });
}
