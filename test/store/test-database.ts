import { join } from 'node:path';
import { Client } from 'pg';
import type { Engine } from '#store/database/engine.ts';
import { PostgresEngine } from '#store/postgres/postgres-engine.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { putMigrated } from './migrated-database.ts';

export interface TestDatabase {
  open(): Engine;
  drop(): Promise<void>;
}
export const isPostgres = process.env['MUSTER_TEST_DATABASE'] === 'postgres';
let count = 0;
const base = { host: '/tmp/muster-pgtry', user: 'muster' };
export async function testDatabase(folder: string): Promise<TestDatabase> {
  if (!isPostgres) {
    const file = join(folder, 'muster.db');
    await putMigrated(file);
    return { open: () => new SqliteEngine(file), drop: async () => undefined };
  }
  count += 1;
  const name = `t_${process.pid}_${count}`;
  const sql = async (text: string) => {
    const admin = new Client({ ...base, database: 'postgres' });
    await admin.connect();
    await admin.query(text);
    await admin.end();
  };
  await sql(`create database ${name}`);
  return {
    open: () => new PostgresEngine({ config: { ...base, database: name, max: 8 }, name }, Math.random),
    drop: () => sql(`drop database ${name} with (force)`),
  };
}
