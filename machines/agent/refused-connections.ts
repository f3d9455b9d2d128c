import type { FactDraft } from '#machines/decide.ts';
import type { AgentContext, AgentEvent } from './agent-context.ts';

/** How many refused destinations an agent's row shows, the newest ones. */
const maxShown = 20;

/** The refused destinations with one more, unless it is known. */
export function withRefused({ refusedConnections = [] }: AgentContext, event: AgentEvent): Partial<AgentContext> {
  if (event.type !== 'CONNECTION_REFUSED') return {};
  return { refusedConnections: [...refusedConnections, event.destination].slice(-maxShown) };
}

/** Whether an event reports a destination that is not recorded yet. */
export function isNewlyRefused({ refusedConnections = [] }: AgentContext, event: AgentEvent): boolean {
  return event.type === 'CONNECTION_REFUSED' && !refusedConnections.includes(event.destination);
}

/** The refused destinations without those that a person has allowed. */
export function withoutAllowed({ refusedConnections = [] }: AgentContext, event: AgentEvent): Partial<AgentContext> {
  if (event.type !== 'CONNECTIONS_ALLOWED') return {};
  return { refusedConnections: refusedConnections.filter((one) => !event.destinations.includes(one)) };
}

/** The facts of a transition about refused connections. */
export function connectionFacts(before: AgentContext, after: AgentContext): FactDraft[] {
  const known = before.refusedConnections ?? [];
  const added = after.refusedConnections?.filter((one) => !known.includes(one)) ?? [];
  return added.map((destination) => ({ kind: 'agent.connection-refused', detail: { destination } }));
}
