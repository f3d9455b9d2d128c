import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** An entry in the log of facts. Rows are appended, never changed, and deleted from the oldest on. */
export const FactEntity = defineEntity({
  name: 'Fact',
  tableName: 'fact',
  properties: {
    /** Grows with every fact, in the order of the commits. */
    // SQLite increments only a column of the type integer, which has 64 bits there.
    seq: p.bigint('bigint').primary().autoincrement().ignoreSchemaChanges('type'),
    kind: p.string(),
    subjectId: p.string(),
    /** Milliseconds since 1970. */
    at: p.bigint('number'),
    detail: p.json<Readonly<Record<string, unknown>>>(),
  },
  indexes: [{ name: 'fact_by_subject', properties: ['subjectId', 'seq'] }],
});
export type StoredFact = Row<typeof FactEntity>;
