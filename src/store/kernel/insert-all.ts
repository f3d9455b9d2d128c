import type { EntityManager, EntityName } from '@mikro-orm/sqlite';
import type { ColumnsOf } from './rows.ts';
import { stored } from './update-row.ts';

/** How many rows one statement holds. */
const atOnce = 1_000;

/**
 * Writes many rows in their order, each statement holding all of its rows as one JSON text: the entity manager's own
 * way takes longer for spelling the statement than the database does for all else. A row is left out if one with the
 * same unique columns is there; returns the columns asked for of those that were written, in no certain order.
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
  const field = (name: string): string => `"${properties[name as keyof typeof properties].fieldNames[0]}"`;
  const names = Object.keys(rows[0] ?? {}) as (keyof ColumnsOf<Entity> & string)[];
  const into = names.map(field).join(', ');
  const from = names.map((_, place) => `value ->> ${place}`).join(', ');
  const back = wanted.map((name) => `${field(name)} as "${name}"`).join(', ');
  const written: Record<Column, string | number>[] = [];
  for (let start = 0; start < rows.length; start += atOnce) {
    const values = rows.slice(start, start + atOnce).map((row) => names.map((name) => inJson(row[name])));
    const statement = `insert into "${tableName}" (${into}) select ${from} from json_each(?) where true on conflict do nothing returning ${back}`;
    written.push(...(await em.execute<typeof written>(statement, [JSON.stringify(values)])));
  }
  return written;
}

/** A value as a text of JSON holds it for the database, which reads a long number back from its digits. */
function inJson(value: unknown): string | number | null {
  const plain = stored(value);
  return typeof plain === 'bigint' ? String(plain) : plain;
}
