import { defineEntity, p } from '@mikro-orm/sql';
import { agentAsKey } from '#store/agent/agent-as-key.ts';
import type { Row } from '#store/kernel/row.ts';

/** An agent without a window that is restored once it is its turn on its host. */
export const PendingRestoreEntity = defineEntity({
  name: 'PendingRestore',
  tableName: 'pending_restore',
  properties: {
    agent: agentAsKey,
    /** Since when it waits, in milliseconds since 1970: the longest wait is first. */
    since: p.bigint('number'),
  },
});
export type PendingRestore = Row<typeof PendingRestoreEntity>;
