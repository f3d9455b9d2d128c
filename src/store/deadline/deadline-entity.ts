import { defineEntity, p } from '@mikro-orm/sql';
import type { MachineName } from '#contract/machine/machine-name.ts';
import type { Row } from '#store/kernel/row.ts';

/** A deadline of a machine's instance; `owner` is the machine. */
export const DeadlineEntity = defineEntity({
  name: 'Deadline',
  tableName: 'deadline',
  properties: {
    owner: p.string().$type<MachineName>().primary(),
    ownerId: p.string().primary(),
    name: p.string().primary(),
    /** Milliseconds since 1970. */
    dueAt: p.bigint('number'),
  },
  indexes: [{ name: 'deadline_by_due', properties: ['dueAt'] }],
});
export type StoredDeadline = Row<typeof DeadlineEntity>;
