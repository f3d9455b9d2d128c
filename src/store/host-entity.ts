import { defineEntity, p } from '@mikro-orm/sqlite';
import type { Row } from './row.ts';

/** One machine that agents are placed on, as the registry sees it. */
export const HostEntity = defineEntity({
  name: 'Host',
  tableName: 'host',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    harnesses: p.json<readonly string[]>(),
    /** The host machine's persisted snapshot. */
    snapshot: p.json<{ readonly value: unknown; readonly context: unknown }>(),
    /** When it last beat, in milliseconds since 1970. */
    seenAt: p.bigint('number'),
  },
});
export type StoredHost = Row<typeof HostEntity>;
