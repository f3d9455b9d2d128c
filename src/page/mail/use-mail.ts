import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { agents } from '#page/api/clients.ts';
import type { Mail } from '#page/client/agent/v1/agent_pb.js';
import { View } from '#page/client/shared/v1/shared_pb.js';
import { useFleet } from '#page/fleet/fleet.ts';
import { useListing } from '#page/parts/use-listing.ts';
import { threadsOf } from './threads.ts';

const mailIdOf = ({ id }: Mail): string => id;

/** Everybody's mail as threads, asked for anew as mail is sent and taken. */
export function useMail() {
  const queries = useQueryClient();
  const { rows } = useFleet();
  const asked = useListing({
    queryKey: ['mail'],
    read: async (cursor, signal) => {
      const page = { view: View.FULL, pagination: { cursor, pageSize: 100 } };
      const { mail, nextPageToken } = await agents.listMail(page, { ...(signal && { signal }) });
      return { rows: mail, next: nextPageToken };
    },
    idOf: mailIdOf,
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
  const threads = useMemo(() => threadsOf(asked.rows), [asked.rows]);
  return { ...asked, threads };
}
