import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** One entry in the log of facts. Rows are only added, and deleted from the oldest on. */
export const FactEntity = defineEntity({
  name: 'Fact',
  tableName: 'fact',
  properties: {
    /** Grows with every fact, in the order of the commits. */
    // SQLite counts up only a column of the type integer, which holds as much there as a bigint.
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
