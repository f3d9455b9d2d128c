import type { PoolConfig } from 'pg';
import type { DatabaseAddress } from './database-address.ts';

/** How many connections one process has at most. */
const connections = 10;
/** How long to wait for a connection, in milliseconds. */
const connectMs = 2_000;

/** The configuration of the connection pool for a database. */
export function poolConfigOf({ user, host, port, database, password, tls }: DatabaseAddress): PoolConfig {
  return {
    user,
    host,
    port,
    database,
    ...(password !== undefined && { password }),
    ssl: tls ?? false,
    max: connections,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: 'muster',
  };
}
