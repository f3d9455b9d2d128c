import {
  type EntityManager,
  type EntityMetadata,
  type EntityName,
  type EntityProperty,
  type FilterQuery,
  JsonType,
  type QueryOrderMap,
} from '@mikro-orm/sql';
import type { Dialect, RowSource } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';
import { runIn } from '#store/database/session.ts';
import { conditionOf, type Fragment, fieldOf } from './condition.ts';
import { limitTo } from './limit.ts';

/** The columns of an entity's table, as plain data. */
export type ColumnsOf<Entity> = {
  readonly [Column in keyof Entity as Column extends string ? Column : never]: Entity[Column];
};

/** The order, limit and columns of a read. */
interface ReadOptions<Entity, Column> {
  readonly orderBy?: QueryOrderMap<Entity>;
  readonly limit?: number;
  /** Undefined for every column that is not lazy. */
  readonly columns?: readonly Column[];
  /** Lazy columns to read in addition. */
  readonly also?: readonly (keyof ColumnsOf<Entity> & string)[];
}

type StoredRow = Record<string, unknown>;

const none: RowSource = { sql: '', parameters: [] };

/** How columns of a table are read: the start of the statement, and the conversions of stored values. */
interface Selection {
  readonly sql: string;
  readonly readers: readonly (readonly [name: string, read: (value: unknown) => unknown])[];
}

/** A cache of the selections of each table: the same few sets of columns recur. */
const selections = new WeakMap<EntityMetadata, Map<string, Selection>>();

/**
 * Reads rows as plain data. The entity manager's `find` makes an entity of each row, and its query builder takes longer
 * to build a statement than the database takes to run it.
 */
export async function rowsOf<Entity extends object, Column extends keyof ColumnsOf<Entity> & string>(
  em: EntityManager,
  entity: EntityName<Entity>,
  where: FilterQuery<NoInfer<Entity>> | { readonly $sql?: Fragment },
  { orderBy, limit, columns, also }: ReadOptions<NoInfer<Entity>, Column> = {},
): Promise<Pick<ColumnsOf<Entity>, Column>[]> {
  const table: EntityMetadata = em.getMetadata().get(entity) as never;
  const dialect = dialectOf(em);
  const { sql, readers } = selectionOf(table, dialect, columns, also);
  const condition = conditionOf(table, dialect, where as StoredRow);
  const order = orderBy === undefined ? '' : ` order by ${orderOf(table, orderBy)}`;
  const end = limit === undefined ? none : limitTo(em, limit);
  const statement = `${sql} where ${condition.sql}${order}${end.sql}`;
  const { rows } = await runIn(em, statement, [...condition.parameters, ...end.parameters]);
  for (const row of rows) {
    for (const [name, read] of readers) {
      const value = row[name];
      if (value !== null) row[name] = read(value);
    }
  }
  return rows as Pick<ColumnsOf<Entity>, Column>[];
}

/** How many rows match a condition. */
export async function countOf<Entity extends object>(
  em: EntityManager,
  entity: EntityName<Entity>,
  where: FilterQuery<NoInfer<Entity>>,
): Promise<number> {
  const table: EntityMetadata = em.getMetadata().get(entity) as never;
  const condition = conditionOf(table, dialectOf(em), where as StoredRow);
  const statement = `select count(*) as "count" from "${table.tableName}" where ${condition.sql}`;
  const { rows } = await runIn(em, statement, condition.parameters);
  return Number(rows[0]?.['count']);
}

/** As `rowsOf`, for one row; undefined if there is none. */
export async function rowOf<Entity extends object>(
  em: EntityManager,
  entity: EntityName<Entity>,
  where: FilterQuery<NoInfer<Entity>>,
): Promise<Pick<ColumnsOf<Entity>, keyof ColumnsOf<Entity> & string> | undefined> {
  const [row] = await rowsOf(em, entity, where, { limit: 1 });
  return row;
}

function selectionOf(
  table: EntityMetadata,
  dialect: Dialect,
  columns: readonly string[] | undefined,
  also: readonly string[] | undefined,
): Selection {
  const known = selections.get(table) ?? new Map<string, Selection>();
  selections.set(table, known);
  const key = `${columns?.join() ?? ''} ${also?.join() ?? ''}`;
  const selection = known.get(key) ?? newSelection(table, dialect, columns, also);
  known.set(key, selection);
  return selection;
}

function newSelection(
  table: EntityMetadata,
  dialect: Dialect,
  columns: readonly string[] | undefined,
  also: readonly string[] | undefined,
): Selection {
  const properties = table.props.filter(
    ({ name, lazy }) => columns?.includes(name) ?? (!lazy || also?.includes(name) === true),
  );
  const fields = properties.map(({ name }) => `${fieldOf(table, name)} as "${name}"`);
  return {
    sql: `select ${fields.join(', ')} from "${table.tableName}"`,
    readers: properties.flatMap((property) => {
      const read = readerOf(property, dialect);
      return read === undefined ? [] : [[property.name, read] as const];
    }),
  };
}

/** The conversion of a stored value that is not null; undefined if none is needed. */
function readerOf(
  { customType, runtimeType }: EntityProperty,
  { parsesJson }: Dialect,
): Selection['readers'][number][1] | undefined {
  if (customType instanceof JsonType) return parsesJson ? undefined : (value) => JSON.parse(String(value));
  if (runtimeType === 'boolean') return Boolean;
  if (runtimeType === 'bigint') return (value) => BigInt(value as bigint | number);
  return undefined;
}

function orderOf(table: EntityMetadata, orderBy: object): string {
  return Object.entries(orderBy)
    .map(([name, direction]) => `${fieldOf(table, name)} ${direction === 'desc' ? 'desc' : 'asc'}`)
    .join(', ');
}
