import { execFile, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { temporaryFolder } from '../temporary-folder.ts';
import { postgresPrograms, runAs } from './postgres-programs.ts';

/** A PostgreSQL server of a test. */
export interface PostgresServer {
  /** The folder of its socket. */
  readonly socket: string;
  readonly data: string;
  /** Runs statements in one of its databases as its superuser; gives the rows of the last one. */
  execute(database: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]>;
  /** Stops it without a checkpoint, as a fault of its machine would. */
  stop(): void;
  start(): Promise<void>;
  /** Stops it and removes all of it. */
  remove(): void;
}

/** The superuser, whom the socket admits without a password. */
export const superuser = 'muster';

const settings = [
  'fsync = off',
  'full_page_writes = off',
  'shared_buffers = 32MB',
  'max_connections = 200',
  'max_pred_locks_per_transaction = 256',
  // Of a server that is killed nothing stays behind outside of its folder.
  'dynamic_shared_memory_type = mmap',
  "timezone = 'UTC'",
  // Its transactions would hold back what readers of a log wait for, and its processes cost the short tests time.
  'autovacuum = off',
];

/** What a server differs in. */
interface Further {
  /** The data of a server that was stopped, which this one begins with, in place of new ones. */
  readonly from?: string;
  readonly port?: number;
  /** Settings, such as `ssl = on`. */
  readonly settings?: readonly string[];
  /** Who is admitted, in place of everybody: lines of `pg_hba.conf`. */
  readonly admitted?: readonly string[];
  /** Files that are put into its folder, by their names there. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Makes a server and starts it. It listens on a socket alone if its settings do not say otherwise. */
export async function startPostgres({
  from,
  port = 5432,
  settings: own = [],
  admitted,
  files = {},
}: Further = {}): Promise<PostgresServer> {
  const folder = temporaryFolder('postgres');
  const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = runAs();
  // The folder of a run is closed to other users.
  if (runAs().uid !== undefined) chmodSync(tmpdir(), 0o711);
  const [data, socket] = [join(folder.path, 'data'), join(folder.path, 'socket')];
  chownSync(folder.path, uid, gid);
  mkdirSync(socket);
  chownSync(socket, uid, gid);
  const { initdb, pg_ctl } = await postgresPrograms(folder.path);
  const as = { cwd: folder.path, uid, gid, env: { LC_ALL: 'C', PATH: process.env['PATH'] } };
  const making = ['-D', data, '-U', superuser, '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  if (from === undefined) await promisify(execFile)(initdb, making, as);
  else await promisify(execFile)('cp', ['-a', from, data]);
  const all = [`unix_socket_directories = '${socket}'`, `port = ${port}`, "listen_addresses = ''", ...settings, ...own];
  appendFileSync(join(data, 'postgresql.conf'), `\n${all.join('\n')}\n`);
  if (admitted !== undefined) writeFileSync(join(data, 'pg_hba.conf'), `${admitted.join('\n')}\n`);
  for (const [name, from] of Object.entries(files)) {
    writeFileSync(join(data, name), readFileSync(from), { mode: 0o600 });
    chownSync(join(data, name), uid, gid);
  }
  const stop = () => void spawnSync(pg_ctl, ['stop', '-D', data, '-m', 'immediate', '-w', '-s'], as);
  const log = join(folder.path, 'log');
  const start = async () =>
    void (await promisify(execFile)(pg_ctl, ['start', '-D', data, '-w', '-s', '-l', log], { ...as, timeout: 60_000 }));
  await start();
  return {
    socket,
    data,
    async execute(database, ...statements) {
      return runStatements(new Client({ host: socket, port, user: superuser, database }), statements);
    },
    stop,
    start,
    remove() {
      stop();
      rmSync(folder.path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Runs statements on a connection of their own; gives the rows of the last one. */
export async function runStatements(client: Client, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}
