import { defineEntity, p } from '@mikro-orm/sqlite';
import type { Row } from '#store/kernel/row.ts';

/** One doorbell of an agent. At most one of each agent is open. */
export const DoorbellEntity = defineEntity({
  name: 'Doorbell',
  tableName: 'doorbell',
  properties: {
    id: p.string().primary(),
    agent: p.string().name('agent_id'),
    snapshot: p.json<{ readonly value: unknown; readonly context: unknown }>(),
    // Times, in milliseconds since 1970.
    raisedAt: p.bigint('number'),
    /** When its agent was told; null again where it must be told anew. */
    rungAt: p.bigint('number').nullable(),
    /** When it was claimed or dropped. */
    closedAt: p.bigint('number').nullable(),
    /** Whether a review has raised it: then it tells whether comments were delivered. */
    forReview: p.boolean().default(false),
  },
  uniques: [{ name: 'doorbell_open', properties: ['agent'], where: 'closed_at is null' }],
});
/** A doorbell as it stands in the database. */
export type StoredDoorbell = Row<typeof DoorbellEntity>;
