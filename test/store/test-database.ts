import { join } from 'node:path';
import type { Engine } from '#store/database/engine.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { postgresDatabase } from '#test/support/postgres/postgres-database.ts';
import { putMigrated } from './migrated-database.ts';

/** A database of one test, with its tables and without a row. */
export interface TestDatabase {
  /** A new engine for each opening. */
  engine(): Engine;
  drop(): Promise<void>;
}

/** Whether this run's stores and registries are on PostgreSQL, or on SQLite as muster is by itself. */
export const isOnPostgres = process.env['MUSTER_TEST_DATABASE'] === 'postgres';

/** A database on the engine of this run; a file is put into the folder. */
export async function testDatabase(folder: string): Promise<TestDatabase> {
  if (isOnPostgres) {
    const { engine, drop } = await postgresDatabase();
    return { engine: () => engine, drop };
  }
  const file = join(folder, 'muster.db');
  await putMigrated(file);
  return { engine: () => new SqliteEngine(file), drop: async () => undefined };
}
