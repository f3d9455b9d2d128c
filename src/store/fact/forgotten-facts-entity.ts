import { defineEntity, p } from '@mikro-orm/sql';

/** The position up to which facts were deleted. The table has one row. */
export const ForgottenFactsEntity = defineEntity({
  name: 'ForgottenFacts',
  tableName: 'forgotten_facts',
  properties: {
    id: p.integer().primary().autoincrement(),
    upTo: p.bigint('bigint'),
  },
});
