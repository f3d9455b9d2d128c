import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { postgresDatabase } from '#test/support/postgres/postgres-database.ts';
import { putMigrated } from './migrated-database.ts';
import { lookInFile, rowsOfFile } from './rows-of-file.ts';
import type { TestDatabase } from './test-database.ts';

/** Puts a database under a name. */
type PutFile = (file: string) => Promise<void> | void;

/** Whether this run's stores and registries are on PostgreSQL, or on SQLite as muster is by itself. */
export const isOnPostgres = process.env['MUSTER_TEST_DATABASE'] === 'postgres';

/** A database on the engine of this run; a file is put into the folder, by `prepare` if that is given. */
export function testDatabase(folder: string, prepare: PutFile = putMigrated): Promise<TestDatabase> {
  return isOnPostgres ? postgresDatabase() : fileDatabase(folder, prepare);
}

async function fileDatabase(folder: string, prepare: PutFile): Promise<TestDatabase> {
  const file = join(folder, 'muster.db');
  await prepare(file);
  const which = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
  return {
    engine: () => new SqliteEngine(file),
    rowsIn: async (table) => rowsOfFile(file, `select * from "${table}"`),
    everyRow: async () =>
      lookInFile(file, (rowsOf) => {
        const names = rowsOf(which).map(({ name }) => String(name));
        return Object.fromEntries(names.map((name) => [name, rowsOf(`select * from "${name}"`)]));
      }),
    async content() {
      const files = readdirSync(folder).filter((name) => name.startsWith('muster.db'));
      return files.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n');
    },
    drop: async () => undefined,
  };
}
