import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { acts } from '#page/acts/act.ts';
import { useActing } from '#page/acts/acting.tsx';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { Elapsed } from '#page/parts/elapsed.tsx';
import './archived.css';

/** Agents that were archived, the last first. */
export function ArchivedScreen() {
  const [words, setWords] = useState('');
  const { data, error, hasNextPage, fetchNextPage, isPending, isFetching } = useInfiniteQuery({
    queryKey: ['archived'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      agents.listAgents({ archived: true, pagination: { cursor: pageParam, pageSize: 100 } }, { signal }),
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    staleTime: 0,
  });
  const listed = (data?.pages.flatMap((page) => page.agents) ?? []).flatMap(({ agent }) => agent ?? []);
  const wanted = words.toLowerCase();
  const shown = listed.filter(({ name, branch }) => `${name} ${branch}`.toLowerCase().includes(wanted));
  return (
    <main className="page">
      <div className="page-head">
        <h1>Archived agents</h1>
        <label>
          <span className="unseen">Search archived agents</span>
          <input type="search" placeholder="Search" value={words} onChange={(event) => setWords(event.target.value)} />
        </label>
      </div>
      {error !== null && (
        <p role="alert" className="failure">
          {failureText(error)}
        </p>
      )}
      {!isPending && listed.length === 0 && <p className="empty">No agent is archived.</p>}
      <ul className="archived">
        {shown.map((agent) => (
          <ArchivedAgent key={agent.id} agent={agent} />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          Older ones
        </button>
      )}
    </main>
  );
}

function ArchivedAgent({ agent }: { readonly agent: Agent }) {
  const { begin } = useActing();
  return (
    <li>
      <Link to="/agents/$agentId" params={{ agentId: agent.id }} className="code">
        {agent.name}
      </Link>
      <code className="muted">{agent.branch}</code>
      <span className="muted">
        <Elapsed since={agent.archivedAt} /> ago
      </span>
      <span className="acts">
        {acts
          .filter((act) => act.isFor(agent))
          .map((act) => (
            <button
              key={act.name}
              type="button"
              className="button"
              aria-label={`${act.label} ${agent.name}`}
              onClick={() => begin(act, agent)}
            >
              {act.label}
            </button>
          ))}
      </span>
    </li>
  );
}
