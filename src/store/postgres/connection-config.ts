import type { PoolConfig } from 'pg';
import type { DatabaseAddress } from './database-address.ts';

/** How many connections one process has at most. */
const connections = 10;
/** How long a call waits for a connection, in milliseconds: then it is answered that there is none. */
const connectMs = 2_000;

/** What the pool of connections to a database is made with. */
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
