import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** One beginning of the logs on this database, and where they ended then. */
export const GenerationEntity = defineEntity({
  name: 'LogGeneration',
  tableName: 'log_generation',
  properties: {
    ordinal: p.integer().primary().autoincrement(),
    /** Unique among all beginnings, on this database and on copies of it. */
    id: p.string(),
    /** The places of the newest fact, of the newest move and of the newest commit to an agent then. */
    facts: p.bigint('bigint'),
    moves: p.bigint('bigint'),
    records: p.bigint('bigint'),
    /** What is added to the id of a transaction for the places of its rows; null if nothing is. */
    raised: p.bigint('bigint').nullable(),
    /** The server and database whose transaction ids are used; null if only one process writes. */
    server: p.string().nullable(),
  },
});
export type StoredGeneration = Row<typeof GenerationEntity>;
