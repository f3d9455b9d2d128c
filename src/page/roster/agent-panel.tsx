import { getRouteApi, Link } from '@tanstack/react-router';
import { useActStarter } from '#page/acts/act-starter.tsx';
import { BudgetSection } from '#page/acts/budget-section.tsx';
import { useOffered } from '#page/acts/use-offered.ts';
import { AnswerBox } from '#page/answer/answer-box.tsx';
import { failureText, isUnknown } from '#page/api/failure-text.ts';
import type { Agent, AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { statusOf } from '#page/fleet/agent-status.ts';
import { reasonText } from '#page/fleet/reason-text.ts';
import { useAgent } from '#page/fleet/use-agent.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { AgentFacts } from './agent-facts.tsx';
import { AgentMore } from './agent-more.tsx';
import { HostAway } from './host-warnings.tsx';
import '#page/panel/panel.css';
import { PromptBox } from '#page/answer/prompt-box.tsx';
import { Signs } from './signs.tsx';

const route = getRouteApi('/roster/agents/$agentId');

/** The details of an agent, next to the list: its question, its actions and its properties. */
export function AgentPanel() {
  const { agentId } = route.useParams();
  const { row, error } = useAgent(agentId);
  if (row?.agent !== undefined) return <Panel key={agentId} row={row} agent={row.agent} />;
  return (
    <aside className="panel" aria-label="Agent">
      <Link to="/" className="back">
        All agents
      </Link>
      <p className="empty">
        {error === null
          ? '…'
          : isUnknown(error)
            ? 'There is no agent with this id: it may have been deleted.'
            : failureText(error)}
      </p>
    </aside>
  );
}

function Panel({ row, agent }: { readonly row: AgentRow; readonly agent: Agent }) {
  const status = statusOf(agent);
  const isAsking = status.kind === 'waiting' && agent.waitingFor !== '';
  const { begin } = useActStarter();
  const offered = useOffered()(agent);
  return (
    <aside className="panel" aria-label={`Agent ${agent.name}`} tabIndex={-1}>
      <header className="panel-head">
        <Link to="/" className="back" aria-label="Back to all agents">
          All agents
        </Link>
        <h2>
          {agent.name} {row.mark !== '' && <kbd title={`mark ${row.mark}`}>{row.mark}</kbd>}
        </h2>
        <p className="standing">
          <span className="agent-status" data-kind={status.kind}>
            {status.word}
          </span>{' '}
          <span className="muted">
            for <Elapsed since={agent.endedAt || agent.stateChangedAt || agent.createdAt} />
            {isAsking && agent.stateReason !== '' && `, ${agent.stateReason}`}
          </span>
        </p>
        {agent.refusedDeletion !== '' && (
          <p className="failure" role="status">
            Not deleted: {reasonText(agent.refusedDeletion)}
          </p>
        )}
        {agent.failedRunFault !== undefined && agent.fault === undefined && (
          <p className="failure">
            {agent.failedRunFault.summary}
            {agent.failedRunFault.errorLine !== '' && <code>{agent.failedRunFault.errorLine}</code>}
          </p>
        )}
        {!isAsking && agent.stateReason !== '' && <p className="panel-reason">{reasonText(agent.stateReason)}</p>}
        {agent.reportedReason !== '' && <p className="muted">It says: {agent.reportedReason}</p>}
        <HostAway hostId={agent.hostId} />
        <Signs row={row} withWords />
        <nav className="agent-screens" aria-label={`Screens of ${agent.name}`}>
          <Link to="/agents/$agentId/pane" params={{ agentId: agent.id }} className="button" aria-keyshortcuts="o">
            Terminal <kbd>o</kbd>
          </Link>
          <Link to="/agents/$agentId/review" params={{ agentId: agent.id }} className="button" aria-keyshortcuts="v">
            Review <kbd>v</kbd>
          </Link>
          <Link to="/machines/$machine" params={{ machine: 'agent' }} search={{ id: agent.id }} className="button">
            State machine
          </Link>
          <Link to="/facts" search={{ about: agent.id }} className="button">
            Facts
          </Link>
        </nav>
      </header>
      {status.kind === 'waiting' && <AnswerBox key={agent.id} agent={agent} />}
      {agent.alive && <PromptBox agent={agent} />}
      <div className="acts" role="toolbar" aria-label="Actions">
        {offered.map((act) => (
          <button
            key={act.name}
            type="button"
            className="button"
            aria-keyshortcuts={act.key}
            onClick={() => begin(act, agent)}
          >
            {act.label} <kbd>{act.key}</kbd>
          </button>
        ))}
      </div>
      <BudgetSection ownerId={agent.id} />
      <AgentMore row={row} />
      <AgentFacts row={row} agent={agent} />
    </aside>
  );
}
