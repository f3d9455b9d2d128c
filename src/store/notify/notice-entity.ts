import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** A notification that is to be sent, until it has arrived or failed for good. */
export const NoticeEntity = defineEntity({
  name: 'Notice',
  tableName: 'notice',
  properties: {
    id: p.integer().primary().autoincrement(),
    agent: p.string().name('agent_id'),
    through: p.string().$type<'webhook' | 'command'>(),
    /** The address, or the command. */
    target: p.text(),
    /** The notice, as JSON. */
    body: p.text(),
    /** How often it was tried. */
    tries: p.integer(),
    /** Counts the claims. A sender may settle the notice only with the fence of its own claim. */
    fence: p.integer().default(0),
    /** Milliseconds since 1970. While it is being sent: when the sender's claim ends. */
    dueAt: p.bigint('number'),
  },
  indexes: [{ name: 'notice_by_due', properties: ['dueAt'] }],
});
export type StoredNotice = Row<typeof NoticeEntity>;
