import { Client } from 'pg';
import { poolConfigOf } from './connection-config.ts';
import { type DatabaseAddress, nameOfDatabase } from './database-address.ts';
import { LostConnection } from './lost-connection.ts';
import { asPostgresFailure } from './postgres-fault.ts';
import { settleSession } from './session-settings.ts';

const look = `select current_setting('server_version') as "version",
  pg_size_pretty(pg_database_size(current_database())) as "size"`;

/**
 * What is found at a database that muster is to run on, in words; nothing there is changed.
 * @throws DATABASE_UNAVAILABLE when no server answers, DATABASE_UNSUITABLE or DATABASE_READ_ONLY when it cannot be used
 *   as it stands
 */
export async function lookAtDatabase(address: DatabaseAddress): Promise<string> {
  const name = nameOfDatabase(address);
  const client = new Client(poolConfigOf(address));
  client.on('error', () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      throw new LostConnection(error);
    });
    await settleSession(client, name);
    const { rows } = await client.query<{ version: string; size: string }>(look);
    return rows.map(({ version, size }) => `${name}: PostgreSQL ${version}, ${size}`).join();
  } catch (error) {
    throw asPostgresFailure(error, name);
  } finally {
    await client.end();
  }
}
