import { useMemo } from 'react';
import { agents } from '#page/api/clients.ts';
import type { Mail } from '#page/client/agent/v1/agent_pb.js';
import { View } from '#page/client/shared/v1/shared_pb.js';
import { useListing } from '#page/list/use-listing.ts';
import { threadsOf } from './threads.ts';

const mailIdOf = ({ id }: Mail): string => id;

/** All mail, as threads. */
export function useMail() {
  const asked = useListing({
    queryKey: ['mail'],
    read: async (cursor, signal) => {
      const page = { view: View.FULL, pagination: { cursor, pageSize: 100 } };
      const { mail, nextPageToken } = await agents.listMail(page, { ...(signal && { signal }) });
      return { rows: mail, next: nextPageToken };
    },
    idOf: mailIdOf,
  });
  const threads = useMemo(() => threadsOf(asked.rows), [asked.rows]);
  return { ...asked, threads };
}
