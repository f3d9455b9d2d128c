import { defineEntity, p } from '@mikro-orm/sqlite';
import type { Row } from '#store/kernel/row.ts';

/** A moment at which an agent's, a host's or a doorbell's machine is told that time is up. */
export const DeadlineEntity = defineEntity({
  name: 'Deadline',
  tableName: 'deadline',
  properties: {
    owner: p.string().$type<'agent' | 'host' | 'doorbell'>().primary(),
    ownerId: p.string().primary(),
    name: p.string().primary(),
    /** Milliseconds since 1970. */
    dueAt: p.bigint('number'),
  },
  indexes: [{ name: 'deadline_by_due', properties: ['dueAt'] }],
});
export type StoredDeadline = Row<typeof DeadlineEntity>;
