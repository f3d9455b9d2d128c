import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** A generation of the logs: they may have been replaced by those of a restored copy before it began. */
export const GenerationEntity = defineEntity({
  name: 'LogGeneration',
  tableName: 'log_generation',
  properties: {
    ordinal: p.integer().primary().autoincrement(),
    /** Unique among all generations, in this database and in copies of it. */
    id: p.string(),
    /** The positions of the newest fact, the newest transition and the newest commit to an agent when it began. */
    facts: p.bigint('bigint'),
    moves: p.bigint('bigint'),
    records: p.bigint('bigint'),
    /** The offset that is added to a transaction's id in the positions of its rows; null if there is none. */
    raised: p.bigint('bigint').nullable(),
    /** The PostgreSQL server and database whose transaction ids are used; null on SQLite. */
    server: p.string().nullable(),
  },
});
export type StoredGeneration = Row<typeof GenerationEntity>;
