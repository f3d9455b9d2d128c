import type { ClientBase } from 'pg';
import { Failure } from '#contract/failure.ts';

/** The oldest supported PostgreSQL, as a `server_version_num`. */
const oldestVersion = 140_000;

/**
 * The settings of a connection. No transaction of muster pauses while it holds row locks, except where databases are
 * copied or migrated: one that does belongs to a registry that hangs or is cut off. It must not block the others, and
 * has to end before callers hear that the registry is lost, because they may repeat what it did not commit.
 */
const settings = {
  default_transaction_isolation: 'serializable',
  statement_timeout: '30s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '2500ms',
  timezone: 'UTC',
  client_encoding: 'UTF8',
} as const;

/** The state that the server reports. */
interface ServerState {
  readonly version: number;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: string;
  readonly commit: string;
  readonly schema: string | null;
  readonly mayCreate: boolean | null;
  readonly isolation: string;
  /** The process id of this connection's backend. */
  readonly pid: number;
}

const state = `select current_setting('server_version_num')::int as "version",
  current_setting('server_encoding') as "encoding", pg_is_in_recovery() as "isStandby",
  current_setting('default_transaction_read_only') as "isReadOnly", current_setting('synchronous_commit') as "commit",
  current_schema() as "schema", has_schema_privilege(current_schema(), 'create') as "mayCreate",
  current_setting('default_transaction_isolation') as "isolation", pg_backend_pid() as "pid"`;

/**
 * Sets a new connection up, and reads back what muster relies on. Gives the process id of its backend.
 * @throws DATABASE_UNSUITABLE, DATABASE_READ_ONLY
 */
export async function configureSession(client: ClientBase, database: string): Promise<number> {
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  await client.query(`select ${set.join(', ')}`);
  const { rows } = await client.query<ServerState>(state);
  const [server] = rows;
  if (server === undefined) throw new Error('PostgreSQL gave no row of its settings');
  requireSuitable(server, database);
  return server.pid;
}

/** @throws DATABASE_UNSUITABLE, DATABASE_READ_ONLY */
export function requireSuitable(server: Omit<ServerState, 'pid'>, database: string): void {
  const { version, encoding, isStandby, isReadOnly, commit, schema, mayCreate, isolation } = server;
  if (version < oldestVersion)
    throw unsuitable(database, `PostgreSQL there is ${Math.floor(version / 10_000)}`, 'run PostgreSQL 14 or newer');
  if (encoding !== 'UTF8')
    throw unsuitable(database, `its encoding is ${encoding}`, `make one with create database … encoding 'UTF8'`);
  if (isStandby || isReadOnly === 'on')
    throw new Failure(
      'DATABASE_READ_ONLY',
      `PostgreSQL can only be read at ${database}, ${isStandby ? 'a standby' : 'where default_transaction_read_only is on'}: ` +
        'promote the server, or name the primary in MUSTER_DATABASE_URL',
    );
  if (commit === 'off')
    throw unsuitable(database, 'synchronous_commit is off there, so a crash can lose committed writes', 'turn it on');
  if (schema === null || mayCreate !== true)
    throw unsuitable(
      database,
      `its user may not make tables in the schema ${schema ?? 'of its search_path'}`,
      'give the user the database, or run: grant create on schema public',
    );
  if (schema !== 'public')
    throw unsuitable(
      database,
      `its user's tables would be in the schema ${schema}`,
      'run: alter role USER set search_path = public',
    );
  if (isolation !== settings.default_transaction_isolation)
    throw unsuitable(database, `default_transaction_isolation reads ${isolation}`, 'let the user set it');
}

function unsuitable(database: string, why: string, what: string): Failure {
  return new Failure(
    'DATABASE_UNSUITABLE',
    `muster cannot use ${database}: ${why}. In MUSTER_DATABASE_URL name another, or ${what}`,
  );
}
