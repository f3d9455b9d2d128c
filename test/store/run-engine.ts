import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { postgresDatabase } from '#test/support/postgres/postgres-database.ts';
import { putMigrated } from './migrated-database.ts';
import type { StoredRow, TestDatabase } from './test-database.ts';

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
  /** Reads with a connection of its own, since to open one takes longer than to read. */
  const look = <T>(work: (rowsOf: (query: string) => StoredRow[]) => T): T => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return work((query) => database.prepare(query).all());
    } finally {
      database.close();
    }
  };
  const which = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
  return {
    engine: () => new SqliteEngine(file),
    rowsIn: async (table) => look((rowsOf) => rowsOf(`select * from "${table}"`)),
    everyRow: async () =>
      look((rowsOf) => {
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
