import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** A notification that is to be sent. It is deleted once it was delivered or failed for good. */
export const NoticeEntity = defineEntity({
  name: 'Notice',
  tableName: 'notice',
  properties: {
    id: p.integer().primary().autoincrement(),
    agent: p.string().name('agent_id'),
    through: p.string().$type<'webhook' | 'command'>(),
    /** The address, or the command. */
    target: p.text(),
    /** The notification, as JSON. */
    body: p.text(),
    /** How many attempts have failed. */
    tries: p.integer(),
    /** The fencing token, which each claim increments. A sender may change the row only with that of its own claim. */
    fence: p.integer().default(0),
    /** When it is to be sent or, while it is being sent, when the sender's claim ends; milliseconds since 1970. */
    dueAt: p.bigint('number'),
  },
  indexes: [{ name: 'notice_by_due', properties: ['dueAt'] }],
});
export type StoredNotice = Row<typeof NoticeEntity>;
