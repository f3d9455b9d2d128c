import { useQuery } from '@tanstack/react-query';
import { agents, facts } from '#page/api/clients.ts';
import { isUnknown } from '#page/api/failure-text.ts';

/**
 * The name of an agent that is not in the list: its current name if it is archived, its original name if it is gone.
 * `isWanted`: whether to fetch it.
 */
export function useLastName(agentId: string, isWanted: boolean): string | undefined {
  const { data } = useQuery({
    queryKey: ['last-name', agentId],
    queryFn: ({ signal }) => lastName(agentId, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? undefined;
}

async function lastName(agentId: string, signal: AbortSignal): Promise<string | null> {
  try {
    const { agent: row } = await agents.getAgent({ agentId }, { signal });
    return row?.agent?.name ?? null;
  } catch (error) {
    if (!isUnknown(error)) throw error;
  }
  for (let cursor = ''; ; ) {
    const page = await facts.listFacts({ subjectId: agentId, cursor, pageSize: 200 }, { signal });
    const made = page.facts.find(({ kind }) => kind === 'agent.created');
    cursor = page.nextPageToken;
    if (made !== undefined) return (JSON.parse(made.detail) as { readonly name: string }).name;
    if (cursor === '') return null;
  }
}
