import { useState } from 'react';
import { type Standing, standingOf, standingText, summaryNotes, summaryTotals } from '#contract/agent/summary-text.ts';
import { installationLine } from '#contract/fact/installation-line.ts';
import type { AgentSummary } from '#page/client/agent/v1/agent_pb.js';
import type { Fact } from '#page/client/fact/v1/fact_pb.js';
import { AgentName } from '#page/fleet/names.tsx';
import { useHost } from '#page/fleet/use-hosts.ts';
import { Tag } from '#page/parts/tag.tsx';
import type { Tone } from '#page/parts/tone.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import { When } from '#page/parts/when.tsx';
import { toNamed } from './named-summary.ts';
import { useSummary } from './use-summary.ts';
import './summary.css';
import '#page/parts/page-head.css';

const tones: Readonly<Record<Standing, Tone>> = {
  waits: 'wants',
  'over budget': 'wants',
  failed: 'bad',
  ended: 'bad',
  parked: 'odd',
  unclear: 'odd',
  works: 'busy',
  finished: 'good',
  rests: 'plain',
  archived: 'plain',
};

/** How far back a summary may go, in hours. */
const spans = [
  [2, '2 hours'],
  [10, '10 hours'],
  [24, 'a day'],
  [168, 'a week'],
] as const;

/** What happened to each agent in the last hours, those that need a person first. */
export function SummaryScreen() {
  const [hours, setHours] = useState(10);
  const { data, error } = useSummary(hours);
  return (
    <main className="page" data-scroller>
      <div className="page-head">
        <h1>Summary</h1>
        <label>
          Since <span className="unseen">how long ago</span>
          <select value={hours} onChange={(event) => setHours(Number(event.target.value))}>
            {spans.map(([value, words]) => (
              <option key={value} value={value}>
                {words} ago
              </option>
            ))}
          </select>
        </label>
      </div>
      <Trouble error={error} />
      {data !== undefined && data.agents.length > 0 && <p>{summaryTotals(data.agents.map(toNamed))}</p>}
      {data?.factsForgotten && <p className="muted">Older facts are no longer kept: the counts are too low.</p>}
      {data?.agents.length === 0 && <p className="empty">There are no agents.</p>}
      {data !== undefined && data.facts.length > 0 && (
        <ul className="summary-facts" aria-label="What happened to accounts, budgets, hosts and backups">
          {data.facts.map((fact) => (
            <InstallationFact key={String(fact.seq)} fact={fact} />
          ))}
        </ul>
      )}
      <ul className="summaries" aria-label="Agents">
        {data?.agents.map((agent) => (
          <SummaryRow key={agent.agentId} agent={agent} />
        ))}
      </ul>
    </main>
  );
}

function SummaryRow({ agent }: { readonly agent: AgentSummary }) {
  const named = toNamed(agent);
  const standing = standingOf(named);
  return (
    <li className="summary">
      <Tag tone={agent.lastKnownAt ? 'plain' : tones[standing]} word={standingText(named)} />
      <AgentName agentId={agent.agentId} name={agent.name} tabIndex={0} />
      <span className="muted">{summaryNotes(named).join(' · ')}</span>
    </li>
  );
}

function InstallationFact({ fact: { at, kind, subjectId, detail } }: { readonly fact: Fact }) {
  const host = useHost(subjectId);
  const { name = subjectId } = JSON.parse(detail || '{}') as { readonly name?: string };
  return (
    <li className="muted">
      <When at={at} /> {installationLine(kind, host?.name ?? name, detail)}
    </li>
  );
}
