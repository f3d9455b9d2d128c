import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { viewOf } from '#machines/agent/agent-view.ts';
import type { DatabaseAddress } from '#store/postgres/database-address.ts';
import { PostgresEngine } from '#store/postgres/postgres-engine.ts';
import { openStore } from '#store/store.ts';
import type { TestDatabase } from '#test/store/test-database.ts';
import { randomFrom } from '../random.ts';
import { testClock } from '../test-clock.ts';
import { isWorker } from '../worker.ts';
import { emptying } from './emptying.ts';
import { type PostgresServer, startPostgres, superuser } from './postgres-server.ts';
import { ReusedDatabase } from './reused-database.ts';

/** A server, and how its databases are copied. */
interface TemplateServer {
  readonly running: PostgresServer;
  /** The connection that makes and drops databases: each new one costs the server as much as a short test. */
  readonly admin: Pool;
  readonly copying: string;
}

/** The server of this process, which its first database starts and its end stops. */
let server: Promise<TemplateServer> | undefined;
let count = 0;
/** Emptied databases that no test uses. */
const idle: ReusedDatabase[] = [];

/**
 * An empty database with its tables: migrating each takes as long as a short test. In a process of the suite it may be
 * one that an earlier test had.
 */
export async function postgresDatabase(): Promise<TestDatabase> {
  server ??= makeServer();
  const made = await server;
  const database = idle.pop() ?? (await copyOf(made));
  return {
    engine: () => database.engine(),
    rowsIn: (table) => database.rowsIn(table),
    everyRow: () => database.everyRow(),
    content: () => database.content(),
    async drop() {
      if (isWorker && (await database.empty())) {
        idle.push(database);
        return;
      }
      await database.close();
      await made.admin.query(`drop database ${database.name} with (force)`);
    },
  };
}

/** A new database, with a connection of the test's own. */
async function copyOf({ running, admin, copying }: TemplateServer): Promise<ReusedDatabase> {
  count += 1;
  const name = `test_${count}`;
  await admin.query(`create database ${name} template migrated ${copying}`);
  const client = new Client({ host: running.socket, user: superuser, database: name });
  await client.connect();
  // Learned while the first one is new.
  await emptying(client);
  return new ReusedDatabase(name, client, () => engineOn(running, name));
}

/** Copying files takes half as long as writing them to the log as well; before PostgreSQL 15 there is no other way. */
async function howToCopy(running: PostgresServer): Promise<string> {
  const [{ number } = {}] = await running.execute(
    'postgres',
    `select current_setting('server_version_num')::int as number`,
  );
  return Number(number) < 150_000 ? '' : 'strategy file_copy';
}

/**
 * A server with the database that the others are copies of. The first process of a run makes it, and leaves its data
 * for the others, which takes them a tenth of the time.
 */
async function makeServer(): Promise<TemplateServer> {
  const kept = keptData();
  const isKept = kept !== undefined && existsSync(kept);
  const running = await startPostgres(isKept ? { from: kept } : {});
  process.once('exit', () => running.remove());
  if (!isKept) await makeTemplate(running, kept);
  const alone = { max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true };
  const admin = new Pool({ host: running.socket, user: superuser, database: 'postgres', ...alone });
  // The end of the process stops the server.
  admin.on('error', () => undefined);
  return { running, admin, copying: await howToCopy(running) };
}

async function makeTemplate(running: PostgresServer, kept: string | undefined): Promise<void> {
  await running.execute('postgres', 'create database migrated');
  const store = await openStore({ engine: engineOn(running, 'migrated'), clock: testClock(), viewOf });
  await store.close();
  if (kept !== undefined) await keepData(running, kept);
}

/** Where the data of a run's first server are kept; undefined outside of a run. */
function keptData(): string | undefined {
  const { MUSTER_TEST_SHARED: shared, MUSTER_TEST_POSTGRES: major = 'pinned' } = process.env;
  return shared === undefined ? undefined : join(shared, `postgres-${major}`);
}

/** Copies the data of a server while it does not run. Where another process was faster, its data stay. */
async function keepData(running: PostgresServer, kept: string): Promise<void> {
  const own = `${kept}-${process.pid}`;
  await running.execute('postgres', 'checkpoint');
  running.stop();
  execFileSync('cp', ['-a', running.data, own]);
  try {
    renameSync(own, kept);
  } catch {
    rmSync(own, { recursive: true });
  }
  await running.start();
}

/** Where a database of a server is that listens on a socket. */
export function addressOn(host: string, database: string): DatabaseAddress {
  return { user: superuser, host, port: 5432, database, password: undefined, tls: undefined };
}

/** The engine of a database of a server, reached over its socket. */
export function engineOn({ socket }: PostgresServer, database: string): PostgresEngine {
  return new PostgresEngine(addressOn(socket, database), randomFrom(1));
}
