import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** The schema that an agent’s result must fit, and the last result that it reported. */
export const ResultEntity = defineEntity({
  name: 'Result',
  tableName: 'agent_result',
  properties: {
    agent: p.string().primary(),
    /** JSON Schema, as JSON text; null if it may report any text. */
    schema: p.text().nullable(),
    /** Null until it reports one. */
    text: p.text().nullable(),
    /** How many turns it had finished. */
    turns: p.integer().default(0),
    /** Milliseconds since 1970. */
    reportedAt: p.bigint('number').name('reported_at').nullable(),
  },
});
export type StoredResult = Row<typeof ResultEntity>;
