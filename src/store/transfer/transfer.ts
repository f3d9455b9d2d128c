import type { EntityManager } from '@mikro-orm/sql';
import { Failure } from '#contract/failure.ts';
import type { Engine } from '#store/database/engine.ts';
import type { SnapshotUpgrades } from '#store/snapshot-upgrades.ts';
import { betweenDatabases, type CopiedTable, copyTables, mayPause } from './copy-tables.ts';
import { digestOf } from './table-rows.ts';
import { sharedTables, type TableShape } from './table-shape.ts';

/** The result of a transfer. */
export interface Transfer {
  readonly tables: readonly CopiedTable[];
  /** Whether an earlier transfer had already copied everything, so that nothing was written. */
  readonly wasDone: boolean;
}

/**
 * Copies everything from a SQLite database to a PostgreSQL database in one transaction, and compares every row. No
 * other program may use either database meanwhile.
 * @throws DATABASE_NOT_EMPTY when the target has other rows, DATABASE_COPY_DIFFERS when the target returns other rows
 *   than were written; as `Engine.open`
 */
export function transferDatabase(from: Engine, to: Engine, upgrades: SnapshotUpgrades): Promise<Transfer> {
  return betweenDatabases(from, to, upgrades, copy);
}

async function copy(sqlite: EntityManager, postgres: EntityManager): Promise<Transfer> {
  await postgres.execute(mayPause);
  const shapes = await sharedTables(sqlite, postgres);
  if (await wasUsed(postgres)) return { tables: await requireSame(sqlite, postgres, shapes), wasDone: true };
  return { tables: await copyTables(sqlite, postgres, { shapes, continueSequence }), wasDone: false };
}

/** Makes the target's sequence of a table continue after the source's, so that no number is assigned twice. */
async function continueSequence(
  sqlite: EntityManager,
  postgres: EntityManager,
  { name, serial }: TableShape,
): Promise<void> {
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

/** Whether a registry has run on a database, or an installation was copied to it: both leave settings and logs. */
async function wasUsed(postgres: EntityManager): Promise<boolean> {
  const found = await postgres.execute<unknown[]>(
    'select 1 as found from "setting" union all select 1 from "log_generation" union all select 1 from "fact" limit 1',
  );
  return found.length > 0;
}

/**
 * Checks that both databases have the same rows, as when an earlier transfer was interrupted right after its commit.
 * @throws DATABASE_NOT_EMPTY when they differ
 */
async function requireSame(
  sqlite: EntityManager,
  postgres: EntityManager,
  shapes: readonly TableShape[],
): Promise<readonly CopiedTable[]> {
  const tables: CopiedTable[] = [];
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
