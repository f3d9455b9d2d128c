import type { EntityManager } from '@mikro-orm/sql';
import type { Engine } from '#store/database/engine.ts';
import type { SnapshotUpgrades } from '#store/snapshot-upgrades.ts';
import { betweenDatabases, type CopiedTable, copyTables, mayPause } from './copy-tables.ts';
import { sharedTables, type TableShape } from './table-shape.ts';

/**
 * Copies a snapshot of a PostgreSQL database, which registries may be using, into a new SQLite file.
 * @throws DATABASE_COPY_DIFFERS when the file returns other rows than were written; as `Engine.open`
 */
export function extractDatabase(from: Engine, to: Engine, upgrades: SnapshotUpgrades): Promise<readonly CopiedTable[]> {
  return betweenDatabases(from, to, upgrades, async (postgres, sqlite) => {
    await postgres.execute(mayPause);
    const shapes = await sharedTables(sqlite, postgres);
    return copyTables(postgres, sqlite, { shapes, continueSequence });
  });
}

/** Makes the file's sequence of a table continue after PostgreSQL's, so that no number is assigned twice. */
async function continueSequence(
  postgres: EntityManager,
  sqlite: EntityManager,
  { name, serial }: TableShape,
): Promise<void> {
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
