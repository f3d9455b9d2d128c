import { useQuery } from '@tanstack/react-query';
import type { RunLog } from '#page/client/host/v1/host_pb.js';
import { hosts } from '#page/fleet/host-client.ts';
import { useListing } from '#page/list/use-listing.ts';

/** A run's id, as addresses have it. */
export const runIdOf = ({ id }: RunLog): string => String(id);

/** Runs of scripts, newest first; with `failed` those that failed and nobody has looked at. */
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

/** Whether an address names a run at all: they are counted. */
export function isRunId(text: string): boolean {
  return /^[1-9][0-9]{0,8}$/.test(text);
}

/** One run with all of its output, as it grows. */
export function useRun(runId: string) {
  return useQuery({
    queryKey: ['run', runId],
    queryFn: async ({ signal }) => (await hosts.getRunLog({ id: Number(runId) }, { signal })).run ?? null,
    enabled: isRunId(runId),
  });
}
