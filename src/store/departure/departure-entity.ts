import { defineEntity, p } from '@mikro-orm/sql';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { Row } from '#store/kernel/row.ts';

/**
 * What happens on a host with what an agent left there: it is kept, because the agent may return; it is removed; or
 * only its window is closed, because the rest is nowhere else.
 */
export type DepartureCleanup = 'kept' | 'taken-away' | 'closed';

/** An agent that a host no longer has, until the host has done what is to be done there. */
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
