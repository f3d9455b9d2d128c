import { expect } from 'chai';
import { postgresDialect } from '#store/database/postgres-dialect.ts';
import { sqliteDialect } from '#store/database/sqlite-dialect.ts';
import { conditionOf } from '#store/kernel/condition.ts';

const columns = {
  properties: Object.fromEntries(['standing', 'version'].map((name) => [name, { fieldNames: [name] }])),
} as never;

describe('a condition of a statement', () => {
  it('hides its values from SQLite’s planner, which would compile the statement again for each', () => {
    for (const where of [{ standing: 'present' }, { standing: { $ne: 'gone' } }, { standing: { $in: ['present'] } }]) {
      expect(conditionOf(columns, sqliteDialect, where).sql).to.match(/^"standing" (=|<>) \+\?$/);
    }
    expect(conditionOf(columns, sqliteDialect, { version: { $gt: 3 } }).sql).to.equal('"version" > +?');
  });

  it('shows PostgreSQL a plain parameter', () => {
    expect(conditionOf(columns, postgresDialect, { standing: 'present' }).sql).to.equal('"standing" = ?');
  });
});
