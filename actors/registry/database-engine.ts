import type { Engine } from '#store/database/engine.ts';
import { PostgresEngine } from '#store/postgres/postgres-engine.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { type DatabaseConfig, databaseAddress } from './configured-database.ts';
import { databaseIn, requireDatabase } from './installation-files.ts';

/**
 * The engine of the registry's database: PostgreSQL if it is configured, otherwise SQLite in the state folder.
 * @throws INVALID_ARGUMENT when the settings are wrong; FAILED_PRECONDITION when others may read the password file, or
 *   when the installation's database file is missing
 */
export function databaseEngine(config: DatabaseConfig): Engine {
  const address = databaseAddress(config);
  if (address !== undefined) return new PostgresEngine(address, Math.random);
  requireDatabase(config.home);
  return new SqliteEngine(databaseIn(config.home));
}
