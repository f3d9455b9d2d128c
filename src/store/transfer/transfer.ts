import type { EntityManager } from '@mikro-orm/sql';
import { Failure } from '#contract/failure.ts';
import type { Engine, OpenDatabase } from '#store/database/engine.ts';
import { entities } from '#store/entities.ts';
import { migrations } from '#store/migrations/list.ts';
import { type SnapshotUpgrades, upgradeSnapshots } from '#store/snapshot-upgrades.ts';
import { addRows, digestOf, RowDigester, rowsOfTable, type TableDigest } from './table-rows.ts';
import { sharedTables, type TableShape } from './table-shape.ts';

/** A table that was carried over, with what both databases have in it. */
export interface TransferredTable extends TableDigest {
  readonly name: string;
}

/** What came of a transfer. */
export interface Transfer {
  readonly tables: readonly TransferredTable[];
  /** Whether an earlier transfer had carried all of it already, so that nothing was written. */
  readonly wasDone: boolean;
}

/** How long the writing waits for others that have the target, in milliseconds. */
const patienceMs = 5_000;

/**
 * Carries everything from a SQLite database to a PostgreSQL database in one transaction: all of it stands there
 * afterwards, compared row by row, or nothing. Nobody else may use either meanwhile.
 * @throws DATABASE_NOT_EMPTY when something else is in the target, DATABASE_COPY_DIFFERS when the target gives back other
 *   rows than it was given, and what the engines' `open` throws
 */
export async function transferDatabase(from: Engine, to: Engine, upgrades: SnapshotUpgrades): Promise<Transfer> {
  const source = await openToTransfer(from, upgrades);
  try {
    const target = await openToTransfer(to, upgrades);
    try {
      return await source.read((sqlite) => target.write((postgres) => carry(sqlite, postgres), patienceMs));
    } catch (error) {
      throw await source.failureOf(await target.failureOf(error));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function openToTransfer(engine: Engine, upgrades: SnapshotUpgrades): Promise<OpenDatabase> {
  return engine.open({
    schema: { entities, migrations },
    prepare: (em) => upgradeSnapshots(em, upgrades),
    onFault: () => undefined,
  });
}

async function carry(sqlite: EntityManager, postgres: EntityManager): Promise<Transfer> {
  const shapes = await sharedTables(sqlite, postgres);
  if (await wasUsed(postgres)) return { tables: await requireSame(sqlite, postgres, shapes), wasDone: true };
  // What migrations put into a new database stands in the old one too.
  for (const { name } of shapes.toReversed()) await postgres.execute(`delete from "${name}"`);
  const tables: TransferredTable[] = [];
  for (const shape of shapes) tables.push({ name: shape.name, ...(await carryTable(sqlite, postgres, shape)) });
  return { tables, wasDone: false };
}

async function carryTable(sqlite: EntityManager, postgres: EntityManager, shape: TableShape): Promise<TableDigest> {
  const digester = new RowDigester();
  for await (const rows of rowsOfTable(sqlite, shape)) {
    digester.add(rows);
    await addRows(postgres, shape, rows);
  }
  await countOn(sqlite, postgres, shape);
  const given = digester.result();
  const held = await digestOf(postgres, shape);
  if (held.digest === given.digest && held.rows === given.rows) return held;
  throw new Failure(
    'DATABASE_COPY_DIFFERS',
    `PostgreSQL gives back other rows of ${shape.name} than it was given (${held.rows} of ${given.rows}), so nothing was ` +
      'written: keep the database as it is, and report this',
  );
}

/** Has the target give out no number again that the source once gave out, also of rows that are gone. */
async function countOn(sqlite: EntityManager, postgres: EntityManager, { name, serial }: TableShape): Promise<void> {
  if (serial === undefined) return;
  const [counted] = await sqlite.execute<{ seq: string }[]>(
    'select cast(seq as text) as seq from sqlite_sequence where name = ? and seq > 0',
    [name],
  );
  if (counted === undefined) return;
  await postgres.execute('select setval(pg_get_serial_sequence(?, ?), cast(? as bigint))', [
    `"${name}"`,
    serial,
    counted.seq,
  ]);
}

/** Whether a registry ever ran on a database, or an installation was carried to it: each leaves settings and logs. */
async function wasUsed(postgres: EntityManager): Promise<boolean> {
  const found = await postgres.execute<unknown[]>(
    'select 1 as found from "setting" union all select 1 from "log_generation" union all select 1 from "fact" limit 1',
  );
  return found.length > 0;
}

/** An earlier transfer may have ended right after its commit. @throws DATABASE_NOT_EMPTY */
async function requireSame(
  sqlite: EntityManager,
  postgres: EntityManager,
  shapes: readonly TableShape[],
): Promise<readonly TransferredTable[]> {
  const tables: TransferredTable[] = [];
  for (const shape of shapes) {
    const [own, held] = [await digestOf(sqlite, shape), await digestOf(postgres, shape)];
    if (own.digest !== held.digest)
      throw new Failure(
        'DATABASE_NOT_EMPTY',
        `The PostgreSQL database already has tables of muster with other rows (${shape.name}: ${held.rows} there, ` +
          `${own.rows} here), so nothing was written: name an empty database`,
      );
    tables.push({ name: shape.name, ...held });
  }
  return tables;
}
