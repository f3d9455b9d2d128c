import type { EntityManager } from '@mikro-orm/sql';
import type { StatementColumn } from '#store/database/dialect.ts';

/** The columns of a table that both databases have. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly StatementColumn[];
  /** The columns of its primary key, in order. */
  readonly key: readonly StatementColumn[];
  /** The name, in SQL, of the column that the database increments; undefined if there is none. */
  readonly serial: string | undefined;
}

/** MikroORM's own table, in which each database records its migrations. */
const migrationTable = 'mikro_orm_migrations';

const tableNames = `select name from sqlite_master
  where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> '${migrationTable}' order by name`;
const columnNames = 'select name, pk from pragma_table_info(?)';
const foreignTables = 'select "table" as name from pragma_foreign_key_list(?)';
const countedTables = 'select name from sqlite_sequence';

const columnTypes = `select column_name as name, data_type as type from information_schema.columns
  where table_schema = current_schema() and table_name = ?`;

/** The kinds of columns, by PostgreSQL's type. */
const kinds: Readonly<Record<string, StatementColumn['kind']>> = {
  text: 'text',
  bigint: 'number',
  integer: 'number',
  boolean: 'boolean',
  json: 'json',
};

/**
 * The tables of a SQLite database, which a PostgreSQL database with the same migrations has, too. A table comes after
 * those that its foreign keys refer to.
 * @throws TypeError when PostgreSQL lacks a column, or has one of an unknown type
 */
export async function sharedTables(sqlite: EntityManager, postgres: EntityManager): Promise<readonly TableShape[]> {
  const names = (await sqlite.execute<NamedRow[]>(tableNames)).map(({ name }) => name);
  const counted = new Set((await sqlite.execute<NamedRow[]>(countedTables)).map(({ name }) => name));
  const shapes = new Map<string, TableShape>();
  const place = async (name: string): Promise<void> => {
    if (shapes.has(name)) return;
    for (const { name: other } of await sqlite.execute<NamedRow[]>(foreignTables, [name]))
      if (other !== name) await place(other);
    shapes.set(name, await shapeOf(name, counted.has(name), { sqlite, postgres }));
  };
  for (const name of names) await place(name);
  return [...shapes.values()];
}

interface NamedRow {
  readonly name: string;
}

async function shapeOf(
  name: string,
  isCounted: boolean,
  { sqlite, postgres }: { readonly sqlite: EntityManager; readonly postgres: EntityManager },
): Promise<TableShape> {
  const types = new Map(
    (await postgres.execute<(NamedRow & { type: string })[]>(columnTypes, [name])).map((row) => [row.name, row.type]),
  );
  const own = await sqlite.execute<(NamedRow & { pk: number })[]>(columnNames, [name]);
  const columns = own.map((column) => ({ ...column, written: writtenColumn(name, column.name, types) }));
  const key = columns.filter(({ pk }) => Number(pk) > 0).toSorted((one, other) => Number(one.pk) - Number(other.pk));
  return {
    name,
    columns: columns.map(({ written }) => written),
    key: key.map(({ written }) => written),
    serial: isCounted ? key[0]?.name : undefined,
  };
}

function writtenColumn(table: string, name: string, types: ReadonlyMap<string, string>): StatementColumn {
  const type = types.get(name);
  const kind = kinds[type ?? ''];
  if (kind === undefined) throw new TypeError(`${table}.${name} is ${type ?? 'missing'} in PostgreSQL`);
  return { name: `"${name}"`, kind };
}
