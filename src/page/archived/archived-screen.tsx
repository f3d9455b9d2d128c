import { useInfiniteQuery } from '@tanstack/react-query';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';

/** Agents that were archived, the last first. */
export function ArchivedScreen() {
  const { data, error, hasNextPage, fetchNextPage, isPending } = useInfiniteQuery({
    queryKey: ['archived'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      agents.listAgents({ archived: true, pagination: { cursor: pageParam, pageSize: 100 } }, { signal }),
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
  });
  const rows = data?.pages.flatMap((page) => page.agents) ?? [];
  return (
    <main className="page">
      <h1>Archived agents</h1>
      {error !== null && <p role="alert">{failureText(error)}</p>}
      {!isPending && rows.length === 0 && <p>No agent is archived.</p>}
      <ul className="plain">
        {rows.map(({ agent }) => (
          <li key={agent?.id}>
            <strong>{agent?.name}</strong> <Elapsed since={agent?.archivedAt ?? ''} /> ago
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()}>
          More
        </button>
      )}
    </main>
  );
}
