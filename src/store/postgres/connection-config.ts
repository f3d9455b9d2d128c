import type { PoolConfig } from 'pg';
import { type DatabaseAddress, serversOf } from './database-address.ts';

/** How many connections one process has at most. */
const connections = 10;
/** How long to wait for a connection, in milliseconds. */
const connectMs = 2_000;

/** The configuration of the connection pools to a database, one for each of its servers. */
export function poolConfigsOf(address: DatabaseAddress): readonly PoolConfig[] {
  const { user, database, password } = address;
  return serversOf(address).map(({ host, port, tls }) => ({
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
  }));
}
