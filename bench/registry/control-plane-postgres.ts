import type { Engine } from '#store/database/engine.ts';
import { engineOn } from '#test/support/postgres/postgres-database.ts';
import { startPostgres, superuser } from '#test/support/postgres/postgres-server.ts';

const database = 'fleet';

/** A PostgreSQL server with durable writes and an empty database. */
export async function postgresForBench(): Promise<{ engine: Engine; url: string; remove(): void }> {
  const settings = ['fsync = on', 'full_page_writes = on', 'shared_buffers = 256MB'];
  const server = await startPostgres({ settings });
  await server.execute('postgres', `create database ${database}`);
  return {
    engine: engineOn(server, database),
    url: `postgres:///${database}?host=${encodeURIComponent(server.socket)}&user=${superuser}`,
    remove: () => server.remove(),
  };
}
