import { defineEntity, p } from '@mikro-orm/sql';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { Row } from '#store/kernel/row.ts';

/**
 * What a host does with an agent's remains: it keeps them, because the agent may return; it removes them; or
 * it closes only the window, because the rest is nowhere else.
 */
export type DepartureCleanup = 'kept' | 'taken-away' | 'closed';

/** An agent that has left a host, until the host has cleaned up. */
export const DepartureEntity = defineEntity({
  name: 'Departure',
  tableName: 'departure',
  properties: {
    id: p.string().primary(),
    agent: p.string().name('agent_id'),
    host: p.string().name('host_id'),
    /** The epoch with which the agent left: the host's actor of an earlier epoch ends. */
    epoch: p.integer(),
    /** The agent as it left. */
    record: p.json<AgentRecord>(),
    remains: p.string().$type<DepartureCleanup>(),
    /** When it left, in milliseconds since 1970. */
    at: p.bigint('number'),
  },
  indexes: [
    { name: 'departure_by_host', properties: ['host'] },
    { name: 'departure_by_agent', properties: ['agent'] },
  ],
});
export type StoredDeparture = Row<typeof DepartureEntity>;
