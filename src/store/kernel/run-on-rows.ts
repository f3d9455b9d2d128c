import type { EntityManager } from '@mikro-orm/sql';
import type { StatementColumn } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';
import { runIn } from '#store/database/session.ts';

/** The columns of the rows that a statement runs on: the kind of each, by name. */
export type RowColumns = Readonly<Record<string, StatementColumn['kind']>>;

/**
 * Runs a statement on many rows, which it reads from the table `given` with these columns. Its text is the same for any
 * number of rows. Returns the rows that the statement returns.
 */
export async function runOnRows(
  em: EntityManager,
  columns: RowColumns,
  rows: readonly (readonly unknown[])[],
  statement: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const named = Object.entries(columns).map(([name, kind]) => ({ name: `"${name}"`, kind }));
  const { sql, parameters } = dialectOf(em).rowsOf(named, rows);
  const names = named.map(({ name }) => name).join(', ');
  const { rows: returned } = await runIn(em, `with given(${names}) as (${sql}) ${statement}`, parameters);
  return returned;
}
