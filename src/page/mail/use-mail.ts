import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { agents } from '#page/api/clients.ts';
import { View } from '#page/client/shared/v1/shared_pb.js';
import { useFleet } from '#page/fleet/fleet.ts';
import { threadsOf } from './threads.ts';

/** Everybody's mail as threads, asked for anew as mail is sent and taken. */
export function useMail() {
  const queries = useQueryClient();
  const { rows } = useFleet();
  const asked = useInfiniteQuery({
    queryKey: ['mail'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      agents.listMail({ view: View.FULL, pagination: { cursor: pageParam, pageSize: 100 } }, { signal }),
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    refetchInterval: 15_000,
  });
  // Agents’ rows carry how much waits for each: where that moves, mail was sent or taken.
  const counts = useMemo(
    () =>
      [...rows].map(([id, { unreadMailCount, doorbellRungAt }]) => `${id}${unreadMailCount}${doorbellRungAt}`).join(),
    [rows],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the counts say when
  useEffect(() => void queries.invalidateQueries({ queryKey: ['mail'] }), [queries, counts]);
  const threads = useMemo(() => threadsOf(asked.data?.pages.flatMap((page) => page.mail) ?? []), [asked.data]);
  return { ...asked, threads };
}
