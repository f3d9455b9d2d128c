import { createHash, type Hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/sql';
import type { StatementColumn } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';
import type { TableShape } from './table-shape.ts';

/** A row, with each column as text, which is the same in both databases. */
export type TextRow = readonly (string | null)[];

/** How many rows are read and written at once: a row may hold a screen or a script's output. */
const atOnce = 100;

/** All rows of a table in the order of its key, in batches. */
export async function* rowsOfTable(em: EntityManager, shape: TableShape): AsyncGenerator<readonly TextRow[]> {
  const { name, columns, key } = shape;
  const texts = columns.map((column, place) => `${textOf(column)} as c${place}`).join(', ');
  const order = key.map((column) => column.name).join(', ');
  const places = key.map((column) => columns.indexOf(column));
  const behind = key.map(({ kind }) => (kind === 'number' ? 'cast(? as bigint)' : '?')).join(', ');
  let last: TextRow | undefined;
  do {
    const where = last === undefined ? '' : `where (${order}) > (${behind})`;
    const after = last === undefined ? [] : places.map((place) => last?.[place]);
    const found = await em.execute<Record<string, string | null>[]>(
      `select ${texts} from "${name}" ${where} order by ${order} limit ${atOnce}`,
      after,
    );
    const rows = found.map((row) => columns.map((_, place) => row[`c${place}`] ?? null));
    if (rows.length > 0) yield rows;
    last = rows.length < atOnce ? undefined : rows.at(-1);
  } while (last !== undefined);
}

/** Inserts rows into a table. */
export async function addRows(em: EntityManager, { name, columns }: TableShape, rows: readonly TextRow[]) {
  const { sql, parameters } = dialectOf(em).rowsOf(columns, rows);
  await em.execute(`insert into "${name}" (${columns.map((column) => column.name).join(', ')}) ${sql}`, parameters);
}

/** A digest by which two tables are compared. */
export interface TableDigest {
  readonly rows: number;
  /** SHA-256 over every row in the order of the key, in hexadecimal. */
  readonly digest: string;
}

/** Counts and digests rows. */
export class RowDigester {
  readonly #hash: Hash = createHash('sha256');
  #rows = 0;

  add(rows: readonly TextRow[]): void {
    for (const row of rows) this.#hash.update(`${JSON.stringify(row)}\n`);
    this.#rows += rows.length;
  }

  /** The digest of all rows that were added. May be called once. */
  result(): TableDigest {
    return { rows: this.#rows, digest: this.#hash.digest('hex') };
  }
}

/** Reads a table and digests it. */
export async function digestOf(em: EntityManager, shape: TableShape): Promise<TableDigest> {
  const digester = new RowDigester();
  for await (const rows of rowsOfTable(em, shape)) digester.add(rows);
  return digester.result();
}

/** The text of a column: both databases write numbers and JSON in the same way, and both read booleans from 1 and 0. */
function textOf({ name, kind }: StatementColumn): string {
  if (kind === 'boolean') return `case when ${name} then '1' when not ${name} then '0' end`;
  return kind === 'text' ? name : `cast(${name} as text)`;
}
