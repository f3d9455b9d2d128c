import { getRouteApi } from '@tanstack/react-router';
import { useRow } from '#page/fleet/fleet.ts';
import { lookOf } from '#page/fleet/look.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';

const route = getRouteApi('/roster/agents/$agentId');

/** Everything about one agent, beside the list. */
export function AgentPanel() {
  const { agentId } = route.useParams();
  const row = useRow(agentId);
  const agent = row?.agent;
  if (agent === undefined) return <p>There is no agent {agentId}.</p>;
  return (
    <article className="agent-panel" aria-label={agent.name}>
      <h2>{agent.name}</h2>
      <p>
        {lookOf(agent).word} for <Elapsed since={agent.stateChangedAt} />
      </p>
      <p className="reason">{agent.stateReason}</p>
    </article>
  );
}
