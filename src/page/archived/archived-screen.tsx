import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useActStarter } from '#page/acts/act-starter.tsx';
import { useOffered } from '#page/acts/use-offered.ts';
import { agents } from '#page/api/clients.ts';
import type { Agent, AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { useListing } from '#page/list/use-listing.ts';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { CleanArchive } from './clean-archive.tsx';
import './archived.css';
import '#page/parts/page-head.css';

const idOf = ({ agent }: AgentRow): string => agent?.id ?? '';

/** Archived agents, the last archived first. */
export function ArchivedScreen() {
  const [words, setWords] = useState('');
  const { rows, error, isPending, paging } = useListing({
    queryKey: ['archived'],
    read: async (cursor, signal) => {
      const asked = { archived: true, pagination: { cursor, pageSize: 100 } };
      const answer = await agents.listAgents(asked, { ...(signal && { signal }) });
      return { rows: answer.agents, next: answer.nextPageToken };
    },
    idOf,
  });
  const listed = rows.flatMap(({ agent }) => agent ?? []);
  const wanted = words.toLowerCase();
  const shown = listed.filter(({ name, branch }) => `${name} ${branch}`.toLowerCase().includes(wanted));
  return (
    <main className="page" data-scroller>
      <div className="page-head">
        <h1>Archived agents</h1>
        <label>
          <span className="unseen">Search archived agents</span>
          <input type="search" placeholder="Search" value={words} onChange={(event) => setWords(event.target.value)} />
        </label>
        <CleanArchive />
      </div>
      <Trouble error={error} />
      {!isPending && listed.length === 0 && <p className="empty">No agent is archived.</p>}
      <VirtualList
        label="Archived agents"
        rows={shown}
        idOf={({ id }) => id}
        rowHeight={41}
        rowProps={() => ({ className: 'archived' })}
        paging={paging}
        keys={{}}
      >
        {(agent, { tabIndex }) => <ArchivedAgent agent={agent} tabIndex={tabIndex} />}
      </VirtualList>
    </main>
  );
}

function ArchivedAgent({ agent, tabIndex }: { readonly agent: Agent; readonly tabIndex: 0 | -1 }) {
  const { begin } = useActStarter();
  const offered = useOffered()(agent);
  return (
    <>
      <Link to="/agents/$agentId" params={{ agentId: agent.id }} className="code" data-main tabIndex={tabIndex}>
        {agent.name}
      </Link>
      <code className="muted">{agent.branch}</code>
      <span className="muted">
        <Elapsed since={agent.archivedAt} /> ago
      </span>
      <span className="acts">
        {offered.map((act) => (
          <button
            key={act.name}
            type="button"
            className="button"
            tabIndex={tabIndex}
            aria-label={`${act.label} ${agent.name}`}
            onClick={() => begin(act, agent)}
          >
            {act.label}
          </button>
        ))}
      </span>
    </>
  );
}
