import { getRouteApi, Link } from '@tanstack/react-router';
import { detailText } from '#contract/fact/detail-text.ts';
import { valueWords } from '#contract/fact/value-words.ts';
import { AgentName, HostName, WorkflowName } from '#page/fleet/names.tsx';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { When } from '#page/parts/when.tsx';
import { factId, useFacts } from './use-facts.ts';
import './facts.css';
import '#page/parts/page-head.css';

const route = getRouteApi('/facts');

/** Facts as they happen, newest first: all of them, or those about one agent. */
export function FactsScreen() {
  const { about = '' } = route.useSearch();
  const { rows, error, isPending, paging } = useFacts(about);
  return (
    <main className="page" data-scroller>
      <div className="page-head">
        <h1>Facts{about !== '' && <> of {<Subject id={about} />}</>}</h1>
        {about !== '' && (
          <Link to="/facts" className="button">
            Show all
          </Link>
        )}
      </div>
      <Trouble error={error} />
      {!isPending && rows.length === 0 && <p className="empty">No facts yet.</p>}
      <VirtualList
        label="Facts"
        rows={rows}
        idOf={factId}
        rowHeight={34}
        isPlain
        rowProps={() => ({ className: 'fact' })}
        paging={paging}
        keys={{}}
      >
        {(fact) => (
          <>
            <span className="muted fact-at">
              <When at={fact.at} isExact />
            </span>
            <code>{fact.kind}</code>
            <span className="cut">
              <Subject id={fact.subjectId} />
            </span>
            <span className="muted fact-detail">{detailText(fact.detail, valueWords)}</span>
          </>
        )}
      </VirtualList>
    </main>
  );
}

/** The subject of a fact, by name if the page knows it. */
function Subject({ id }: { readonly id: string }) {
  if (id.startsWith('agt_')) return <AgentName agentId={id} tabIndex={-1} />;
  if (id.startsWith('hst_')) return <HostName hostId={id} />;
  if (id.startsWith('wfl_')) return <WorkflowName workflowId={id} />;
  return <code>{id}</code>;
}
