import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** One start of a registry on this database, and where its logs ended then. */
export const GenerationEntity = defineEntity({
  name: 'LogGeneration',
  tableName: 'log_generation',
  properties: {
    ordinal: p.integer().primary().autoincrement(),
    /** Given to no other start, on this database or on a copy of it. */
    id: p.string(),
    /** The places of the newest fact, of the newest move and of the newest commit to an agent at that start. */
    facts: p.bigint('bigint'),
    moves: p.bigint('bigint'),
    records: p.bigint('bigint'),
  },
});
export type StoredGeneration = Row<typeof GenerationEntity>;
