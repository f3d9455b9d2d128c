import type { EntityManager } from '@mikro-orm/sql';
import type { Engine } from '#store/database/engine.ts';
import type { SnapshotUpgrades } from '#store/snapshot-upgrades.ts';
import { betweenDatabases, type CarriedTable, carryTables } from './carry-tables.ts';
import { sharedTables, type TableShape } from './table-shape.ts';

/**
 * Copies a PostgreSQL database, as of one moment and while registries use it, into a SQLite file that is not there yet.
 * @throws DATABASE_COPY_DIFFERS when the file gives back other rows than it was given, and what the engines' `open` throws
 */
export function extractDatabase(
  from: Engine,
  to: Engine,
  upgrades: SnapshotUpgrades,
): Promise<readonly CarriedTable[]> {
  return betweenDatabases(from, to, upgrades, async (postgres, sqlite) => {
    const shapes = await sharedTables(sqlite, postgres);
    return carryTables(postgres, sqlite, { shapes, countOn });
  });
}

/** Has the file give out no number again that PostgreSQL once gave out, also of rows that are gone. */
async function countOn(postgres: EntityManager, sqlite: EntityManager, { name, serial }: TableShape): Promise<void> {
  if (serial === undefined) return;
  const [sequence] = await postgres.execute<{ sequence: string }[]>('select pg_get_serial_sequence(?, ?) as sequence', [
    `"${name}"`,
    serial,
  ]);
  if (sequence === undefined) return;
  const [counted] = await postgres.execute<{ seq: string }[]>(
    `select cast(case when is_called then last_value else 0 end as text) as seq from ${sequence.sequence}`,
  );
  await sqlite.execute('delete from sqlite_sequence where name = ?', [name]);
  await sqlite.execute('insert into sqlite_sequence (name, seq) values (?, cast(? as integer))', [
    name,
    counted?.seq ?? '0',
  ]);
}
