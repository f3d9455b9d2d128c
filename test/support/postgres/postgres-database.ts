import { viewOf } from '#machines/agent/agent-view.ts';
import type { DatabaseAddress } from '#store/postgres/database-address.ts';
import { PostgresEngine } from '#store/postgres/postgres-engine.ts';
import { openStore } from '#store/store.ts';
import { randomFrom } from '../random.ts';
import { testClock } from '../test-clock.ts';
import { type PostgresServer, startPostgres, superuser } from './postgres-server.ts';

/** A database of one test. */
export interface PostgresDatabase {
  readonly name: string;
  readonly engine: PostgresEngine;
  drop(): Promise<void>;
}

/** The server of this process, which its first database starts and its end stops. */
let server: Promise<PostgresServer> | undefined;
let count = 0;

/** A database in which nothing stands yet, with its tables in it: to migrate each takes as long as a short test. */
export async function postgresDatabase(): Promise<PostgresDatabase> {
  server ??= makeServer();
  const running = await server;
  count += 1;
  const name = `test_${count}`;
  await running.execute('postgres', `create database ${name} template migrated strategy file_copy`);
  return {
    name,
    engine: engineOn(running, name),
    drop: () => running.execute('postgres', `drop database ${name} with (force)`),
  };
}

async function makeServer(): Promise<PostgresServer> {
  const started = await startPostgres();
  process.once('exit', () => started.remove());
  await started.execute('postgres', 'create database migrated');
  const store = await openStore({ engine: engineOn(started, 'migrated'), clock: testClock(), viewOf });
  await store.close();
  return started;
}

/** Where a database of a server is that listens on a socket. */
export function addressOn(host: string, database: string): DatabaseAddress {
  return { user: superuser, host, port: 5432, database, password: undefined, tls: undefined };
}

/** The engine of a database of a server, reached over its socket. */
export function engineOn({ socket }: PostgresServer, database: string): PostgresEngine {
  return new PostgresEngine(addressOn(socket, database), randomFrom(1));
}
