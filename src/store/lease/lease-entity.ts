import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** A lease: one process holds it for a limited time. */
export const LeaseEntity = defineEntity({
  name: 'Lease',
  tableName: 'lease',
  properties: {
    name: p.string().primary(),
    /** The instance that holds it, or held it last. */
    holder: p.string(),
    /** Each new holder increments it. */
    term: p.integer(),
    /** When it ends unless it is renewed, in milliseconds since 1970. */
    endsAt: p.bigint('number'),
    /** What the holder publishes about itself. */
    detail: p.json<Readonly<Record<string, unknown>>>(),
  },
});
export type StoredLease = Row<typeof LeaseEntity>;
