import { defineEntity, p } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { Row } from '#store/kernel/row.ts';

/** A firing: one occurrence of a schedule. Times are in milliseconds since 1970. */
export const FiringEntity = defineEntity({
  name: 'Firing',
  tableName: 'firing',
  properties: {
    id: p.integer().primary().autoincrement(),
    schedule: p.string().name('schedule_id'),
    scheduledFor: p.bigint('number'),
    /** Each commit of its machine increments it, and names the version that it was decided on. */
    version: p.integer().default(1),
    snapshot: p.json<StoredSnapshot>(),
    // Columns that are derived from the snapshot.
    /** The name of the machine's state. */
    state: p.string(),
    /** When it is due, or when its lease ends. */
    dueAt: p.bigint('number').nullable(),
    agent: p.string().name('agent_id').nullable(),
    createdAt: p.bigint('number'),
    finalizedAt: p.bigint('number').nullable(),
  },
  indexes: [
    { name: 'firing_by_due', properties: ['dueAt'] },
    { name: 'firing_by_state', properties: ['state', 'id'] },
    { name: 'firing_by_schedule', properties: ['schedule', 'id'] },
  ],
  uniques: [{ name: 'firing_occurrence', properties: ['schedule', 'scheduledFor'] }],
});
/** A firing as stored. */
export type StoredFiring = Row<typeof FiringEntity>;
