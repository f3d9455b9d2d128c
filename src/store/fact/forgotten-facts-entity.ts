import { defineEntity, p } from '@mikro-orm/sql';

/** Up to which place facts were forgotten, in one row. */
export const ForgottenFactsEntity = defineEntity({
  name: 'ForgottenFacts',
  tableName: 'forgotten_facts',
  properties: {
    id: p.integer().primary().autoincrement(),
    upTo: p.bigint('bigint'),
  },
});
