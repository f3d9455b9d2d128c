import type { EntityManager } from '@mikro-orm/sql';
import { Failure } from '#contract/failure.ts';
import type { Engine } from '#store/database/engine.ts';
import type { SnapshotUpgrades } from '#store/snapshot-upgrades.ts';
import { betweenDatabases, type CarriedTable, carryTables } from './carry-tables.ts';
import { digestOf } from './table-rows.ts';
import { sharedTables, type TableShape } from './table-shape.ts';

/** What came of a transfer. */
export interface Transfer {
  readonly tables: readonly CarriedTable[];
  /** Whether an earlier transfer had carried all of it already, so that nothing was written. */
  readonly wasDone: boolean;
}

/**
 * Carries everything from a SQLite database to a PostgreSQL database in one transaction: all of it stands there
 * afterwards, compared row by row, or nothing. Nobody else may use either meanwhile.
 * @throws DATABASE_NOT_EMPTY when something else is in the target, DATABASE_COPY_DIFFERS when the target gives back other
 *   rows than it was given, and what the engines' `open` throws
 */
export function transferDatabase(from: Engine, to: Engine, upgrades: SnapshotUpgrades): Promise<Transfer> {
  return betweenDatabases(from, to, upgrades, carry);
}

async function carry(sqlite: EntityManager, postgres: EntityManager): Promise<Transfer> {
  const shapes = await sharedTables(sqlite, postgres);
  if (await wasUsed(postgres)) return { tables: await requireSame(sqlite, postgres, shapes), wasDone: true };
  return { tables: await carryTables(sqlite, postgres, { shapes, countOn }), wasDone: false };
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
): Promise<readonly CarriedTable[]> {
  const tables: CarriedTable[] = [];
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
