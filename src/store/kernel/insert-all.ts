import { type EntityManager, type EntityName, type EntityProperty, JsonType } from '@mikro-orm/sql';
import type { StatementColumn } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';
import { runIn } from '#store/database/session.ts';
import type { ColumnsOf } from './rows.ts';

/** How many rows one statement inserts. */
const atOnce = 1_000;

/**
 * Inserts many rows in order, by a statement whose text is the same for any number of rows: the entity manager takes
 * longer to build its statement than the database takes to run it. A row is skipped if one with the same unique columns
 * exists. Returns the requested columns of the inserted rows, in no particular order.
 */
export async function insertAll<Entity extends object, Column extends keyof ColumnsOf<Entity> & string>(
  em: EntityManager,
  entity: EntityName<Entity>,
  rows: readonly {
    readonly [Name in keyof ColumnsOf<Entity> & string]?: unknown;
  }[],
  wanted: readonly Column[],
): Promise<Record<Column, string | number>[]> {
  const { tableName, properties } = em.getMetadata().get(entity);
  const property = (name: string): EntityProperty => properties[name as keyof typeof properties];
  const field = (name: string): string => `"${property(name).fieldNames[0]}"`;
  const names = Object.keys(rows[0] ?? {}) as (keyof ColumnsOf<Entity> & string)[];
  const columns = names.map((name) => ({ name: field(name), kind: kindOf(property(name)) }));
  const into = columns.map(({ name }) => name).join(', ');
  const back = wanted.map((name) => `${field(name)} as "${name}"`).join(', ');
  const dialect = dialectOf(em);
  const written: Record<Column, string | number>[] = [];
  for (let start = 0; start < rows.length; start += atOnce) {
    const values = rows.slice(start, start + atOnce).map((row) => names.map((name) => row[name]));
    const { sql, parameters } = dialect.rowsOf(columns, values);
    const statement = `insert into "${tableName}" (${into}) ${sql} on conflict do nothing returning ${back}`;
    const { rows: given } = await runIn(em, statement, parameters);
    written.push(...(given as typeof written));
  }
  return written;
}

function kindOf({ customType, runtimeType }: EntityProperty): StatementColumn['kind'] {
  if (customType instanceof JsonType) return 'json';
  if (runtimeType === 'boolean') return 'boolean';
  return ['number', 'bigint'].includes(runtimeType) ? 'number' : 'text';
}
