import { Client, type QueryResultRow } from 'pg';
import { poolConfigOf } from './connection-config.ts';
import { type DatabaseAddress, nameOfDatabase } from './database-address.ts';
import { LostConnection } from './lost-connection.ts';
import { asPostgresFailure } from './postgres-fault.ts';
import { configureSession } from './session-settings.ts';

const look = `select current_setting('server_version') as "version",
  pg_size_pretty(pg_database_size(current_database())) as "size",
  (extract(epoch from clock_timestamp()) * 1000)::float8 as "now"`;

/** What is found at a database. */
export interface DatabaseLook {
  /** Its name, version and size, in words. */
  readonly found: string;
  /** The time of its server, in milliseconds since 1970. */
  readonly now: number;
}

/** Runs a query and gives its rows. */
type Query = <Row extends QueryResultRow>(sql: string) => Promise<readonly Row[]>;

/**
 * Looks at a database that muster is to run on; nothing there is changed.
 * @param more asks the database for whatever else is of interest
 * @throws DATABASE_UNAVAILABLE when no server answers, DATABASE_UNSUITABLE or DATABASE_READ_ONLY when it cannot be used
 *   as it stands
 */
export async function lookAtDatabase<More>(
  address: DatabaseAddress,
  more: (query: Query) => Promise<More>,
): Promise<DatabaseLook & { readonly more: More }> {
  const name = nameOfDatabase(address);
  const client = new Client(poolConfigOf(address));
  client.on('error', () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      throw new LostConnection(error);
    });
    await configureSession(client, name);
    const query: Query = async <Row extends QueryResultRow>(sql: string) => (await client.query<Row>(sql)).rows;
    const [row] = await query<{ version: string; size: string; now: number }>(look);
    const { version = '', size = '', now = Number.NaN } = row ?? {};
    return { found: `${name}: PostgreSQL ${version}, ${size}`, now, more: await more(query) };
  } catch (error) {
    throw asPostgresFailure(error, name);
  } finally {
    await client.end();
  }
}
