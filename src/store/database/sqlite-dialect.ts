import type { Dialect } from './dialect.ts';
import { storedValue } from './stored-value.ts';

/** SQLite, which has no booleans and sorts texts by their bytes. */
export const sqliteDialect: Dialect = {
  types: { text: 'text', boolean: 'integer', serial: 'integer not null primary key autoincrement' },
  hasOldRows: true,
  parsesJson: false,
  /**
   * The plus is without effect, but hides the parameter from the planner. Otherwise SQLite compiles a statement each time
   * it runs, to see whether the value lets it use a partial index: for a page of agents, five times as long as reading it.
   */
  compared: '+?',
  inList(field, values, isIn) {
    const [only] = values;
    if (values.length === 1) return { sql: `${field} ${isIn ? '=' : '<>'} +?`, parameters: [only] };
    return {
      sql: `${field} ${isIn ? 'in' : 'not in'} (select value from json_each(?))`,
      parameters: [JSON.stringify(values.map(inJson))],
    };
  },
  isShared: false,
  skipLocked: '',
  /**
   * The number is part of the text, because SQLite compiles a statement with a bound limit each time it runs, which
   * takes ten times as long as finding a row.
   */
  limitTo: (rows) => ({ sql: ` limit ${rows}`, parameters: [] }),
  /**
   * Several rows are one JSON text, because a statement with many parameters takes longer to build than to run. One row
   * takes half as long without it.
   */
  rowsOf(columns, rows) {
    const [only] = rows;
    if (only !== undefined && rows.length === 1)
      return { sql: `select ${columns.map(() => '?').join(', ')} where true`, parameters: only.map(storedValue) };
    const values = rows.map((row) => row.map(inJson));
    return {
      sql: `select ${columns.map((_, place) => `value ->> ${place}`).join(', ')} from json_each(?) where true`,
      parameters: [JSON.stringify(values)],
    };
  },
};

/** A value as JSON for SQLite. A BigInt becomes its digits, which SQLite converts to an integer. */
function inJson(value: unknown): string | number | null {
  const plain = storedValue(value);
  if (typeof plain === 'boolean') return Number(plain);
  return typeof plain === 'bigint' ? String(plain) : plain;
}
