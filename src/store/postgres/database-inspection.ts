import { Client, type PoolConfig, type QueryResultRow } from 'pg';
import { poolConfigsOf } from './connection-config.ts';
import { type DatabaseAddress, nameOfDatabase } from './database-address.ts';
import { LostConnection, mainError } from './lost-connection.ts';
import { asPostgresFailure } from './postgres-fault.ts';
import { configureSession } from './session-settings.ts';

const inspection = `select current_setting('server_version') as "version",
  pg_size_pretty(pg_database_size(current_database())) as "size",
  (extract(epoch from clock_timestamp()) * 1000)::float8 as "now"`;

/** The result of inspecting a database. */
export interface DatabaseInspection {
  /** Its name, version and size, as text. */
  readonly found: string;
  /** The time of its server, in milliseconds since 1970. */
  readonly now: number;
}

/** Runs a query and returns its rows. */
type Query = <Row extends QueryResultRow>(sql: string) => Promise<readonly Row[]>;

/**
 * Checks a database that muster is to run on, without changing it.
 * @param more runs further queries
 * @throws DATABASE_UNAVAILABLE when no server answers, DATABASE_UNSUITABLE or DATABASE_READ_ONLY when muster cannot use
 *   it
 */
export async function inspectDatabase<More>(
  address: DatabaseAddress,
  more: (query: Query) => Promise<More>,
): Promise<DatabaseInspection & { readonly more: More }> {
  const name = nameOfDatabase(address);
  const client = await firstOf(poolConfigsOf(address), name);
  try {
    const query: Query = async <Row extends QueryResultRow>(sql: string) => (await client.query<Row>(sql)).rows;
    const [row] = await query<{ version: string; size: string; now: number }>(inspection);
    const { version = '', size = '', now = Number.NaN } = row ?? {};
    return { found: `${name}: PostgreSQL ${version}, ${size}`, now, more: await more(query) };
  } catch (error) {
    throw asPostgresFailure(error, name);
  } finally {
    await client.end();
  }
}

/** A connection to the first server that can be used. @throws as `inspectDatabase` */
async function firstOf(configs: readonly PoolConfig[], name: string): Promise<Client> {
  const errors: unknown[] = [];
  for (const config of configs) {
    const client = new Client(config);
    client.on('error', () => undefined);
    try {
      await client.connect().catch((error: unknown) => {
        throw new LostConnection(error);
      });
      await configureSession(client, name);
      return client;
    } catch (error) {
      await client.end();
      errors.push(error);
    }
  }
  throw asPostgresFailure(mainError(errors), name);
}
