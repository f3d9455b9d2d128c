import type { EntityManager } from '@mikro-orm/sql';
import type { Engine } from '#store/database/engine.ts';
import type { SnapshotUpgrades } from '#store/snapshot-upgrades.ts';
import { type CarriedTable, carryTable, openToCarry } from './carry-table.ts';
import { sharedTables, type TableShape } from './table-shape.ts';

/** How long the writing waits for others that have the new file, in milliseconds. */
const patienceMs = 5_000;

/**
 * Copies a PostgreSQL database, as of one moment and while registries use it, into a SQLite file that is not there yet.
 * @throws DATABASE_COPY_DIFFERS when the file gives back other rows than it was given, and what the engines' `open` throws
 */
export async function extractDatabase(
  from: Engine,
  to: Engine,
  upgrades: SnapshotUpgrades,
): Promise<readonly CarriedTable[]> {
  const source = await openToCarry(from, upgrades);
  try {
    const target = await openToCarry(to, upgrades);
    try {
      return await source.read((postgres) => target.write((sqlite) => carryAll(postgres, sqlite), patienceMs));
    } catch (error) {
      throw await source.failureOf(await target.failureOf(error));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function carryAll(postgres: EntityManager, sqlite: EntityManager): Promise<readonly CarriedTable[]> {
  const shapes = await sharedTables(sqlite, postgres);
  // What migrations put into a new database stands in the old one too.
  for (const { name } of shapes.toReversed()) await sqlite.execute(`delete from "${name}"`);
  const tables: CarriedTable[] = [];
  for (const shape of shapes) {
    tables.push(await carryTable(postgres, sqlite, shape));
    await countOn(postgres, sqlite, shape);
  }
  return tables;
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
