import { defineEntity, p } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { Row } from '#store/kernel/row.ts';

/** A doorbell of an agent. Each agent has at most one open doorbell. */
export const DoorbellEntity = defineEntity({
  name: 'Doorbell',
  tableName: 'doorbell',
  properties: {
    id: p.string().primary(),
    agent: p.string().name('agent_id'),
    /** Each commit of its machine increments it, and names the version that it was decided on. */
    version: p.integer().default(1),
    snapshot: p.json<StoredSnapshot>(),
    // Times, in milliseconds since 1970.
    raisedAt: p.bigint('number'),
    /** When its agent was notified; null again if it must be notified again. */
    rungAt: p.bigint('number').nullable(),
    /** When it was claimed or dropped. */
    closedAt: p.bigint('number').nullable(),
    /** Whether a review raised it: then it shows whether comments were delivered. */
    forReview: p.boolean().default(false),
  },
  uniques: [{ name: 'doorbell_open', properties: ['agent'], where: 'closed_at is null' }],
});
/** A doorbell as stored. */
export type StoredDoorbell = Row<typeof DoorbellEntity>;
