import type { EntityManager, EntityMetadata } from '@mikro-orm/sql';
import { runIn } from '#store/database/session.ts';
import { storedValue } from '#store/database/stored-value.ts';

/** A value that the database computes while it writes. */
export class ComputedValue {
  readonly sql: string;
  readonly parameters: readonly unknown[];

  constructor(sql: string, ...parameters: readonly unknown[]) {
    this.sql = sql;
    this.parameters = parameters;
  }
}

type Columns = Readonly<Record<string, unknown>>;

/**
 * The columns whose values differ from those of a row. A database rewrites each index that has a column which is set, also
 * if its value stays.
 */
export function changedColumns<Row extends object>(row: Row, columns: Partial<Row>): Partial<Row> {
  const before = new Map(Object.entries(row));
  const changed = Object.entries(columns).filter(
    ([name, value]) => storedValue(value) !== storedValue(before.get(name)),
  );
  return Object.fromEntries(changed) as Partial<Row>;
}

/**
 * Updates columns of the row that matches `where`, in one statement. Undefined columns stay as they are. Returns the
 * values that the database computed, by column; undefined if there is no such row.
 */
export async function updateRow(
  em: EntityManager,
  { tableName, properties }: Pick<EntityMetadata, 'tableName' | 'properties'>,
  where: Columns,
  columns: Columns,
): Promise<Columns | undefined> {
  const field = (name: string): string => `"${properties[name]?.fieldNames[0]}"`;
  const written = Object.entries(columns).filter(([, value]) => value !== undefined);
  const sets = written.map(([name, value]) => `${field(name)} = ${value instanceof ComputedValue ? value.sql : '?'}`);
  const computed = written.flatMap(([name, value]) => (value instanceof ComputedValue ? [name] : []));
  const conditions = Object.keys(where).map((name) => `${field(name)} = ?`);
  const wanted = [...Object.keys(where), ...computed].map((name) => `${field(name)} as "${name}"`);
  const { rows } = await runIn(
    em,
    `update "${tableName}" set ${sets.join(', ')} where ${conditions.join(' and ')} returning ${wanted.join(', ')}`,
    [
      ...written.flatMap(([, value]) => (value instanceof ComputedValue ? value.parameters : [storedValue(value)])),
      ...Object.values(where).map(storedValue),
    ],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const platform = em.getPlatform();
  const read = Object.entries(row).map(([name, value]) => {
    const type = properties[name]?.customType;
    return [name, type ? type.convertToJSValue(value, platform) : value];
  });
  return Object.fromEntries(read);
}
