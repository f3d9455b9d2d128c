import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** What one process holds for a while. */
export const LeaseEntity = defineEntity({
  name: 'Lease',
  tableName: 'lease',
  properties: {
    /** What is held. */
    name: p.string().primary(),
    /** The instance that holds it, or held it last. */
    holder: p.string(),
    /** Grows with each new holder. */
    term: p.integer(),
    /** When it ends unless its holder renews it, in milliseconds since 1970. */
    endsAt: p.bigint('number'),
    /** What the holder says of itself. */
    detail: p.json<Readonly<Record<string, unknown>>>(),
  },
});
export type StoredLease = Row<typeof LeaseEntity>;
