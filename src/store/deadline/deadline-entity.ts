import { defineEntity, p } from '@mikro-orm/sql';
import type { MachineName } from '#contract/machine/machine-name.ts';
import type { Row } from '#store/kernel/row.ts';

/** Who has deadlines: machines, and budgets. */
export type DeadlineKind = MachineName | 'budget';

/** A deadline of a machine's instance, or of a budget; `owner` is the machine. */
export const DeadlineEntity = defineEntity({
  name: 'Deadline',
  tableName: 'deadline',
  properties: {
    owner: p.string().$type<DeadlineKind>().primary(),
    ownerId: p.string().primary(),
    name: p.string().primary(),
    /** Milliseconds since 1970. */
    dueAt: p.bigint('number'),
  },
  indexes: [{ name: 'deadline_by_due', properties: ['dueAt'] }],
});
export type StoredDeadline = Row<typeof DeadlineEntity>;
