import { useQuery } from '@tanstack/react-query';
import type { RunLog } from '#page/client/host/v1/host_pb.js';
import { hosts } from '#page/fleet/host-client.ts';
import { useListing } from '#page/list/use-listing.ts';

/** The id of a run, as in addresses. */
export const runIdOf = ({ id }: RunLog): string => String(id);

/** Runs of scripts, newest first; with `failed`, only failed ones that are not acknowledged. */
export function useRuns(failed: boolean) {
  return useListing({
    queryKey: ['runs', String(failed)],
    read: async (cursor, signal) => {
      const asked = { failed, pagination: { cursor, pageSize: 100 } };
      const { runs, nextPageToken } = await hosts.listRunLogs(asked, { ...(signal && { signal }) });
      return { rows: runs, next: nextPageToken };
    },
    idOf: runIdOf,
  });
}

/** Whether a text can be the id of a run, which is a number. */
export function isRunId(text: string): boolean {
  return /^[1-9][0-9]{0,8}$/.test(text);
}

/** A run with all of its output, updated live. */
export function useRun(runId: string) {
  return useQuery({
    queryKey: ['run', runId],
    queryFn: async ({ signal }) => (await hosts.getRunLog({ id: Number(runId) }, { signal })).run ?? null,
    enabled: isRunId(runId),
  });
}
