import type { EntityManager } from '@mikro-orm/sql';
import type { WrittenColumn } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';
import { runIn } from '#store/database/session.ts';

/** The columns of rows that a statement is run on: what each holds, by its name. */
export type GivenColumns = Readonly<Record<string, WrittenColumn['kind']>>;

/**
 * Runs one statement on many rows, whose text is the same for any number of them. It reads them from the table `given`,
 * which has these columns; returns what it returns.
 */
export async function runOnRows(
  em: EntityManager,
  columns: GivenColumns,
  rows: readonly (readonly unknown[])[],
  statement: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const named = Object.entries(columns).map(([name, kind]) => ({ name: `"${name}"`, kind }));
  const { sql, parameters } = dialectOf(em).rowsOf(named, rows);
  const names = named.map(({ name }) => name).join(', ');
  const { rows: returned } = await runIn(em, `with given(${names}) as (${sql}) ${statement}`, parameters);
  return returned;
}
