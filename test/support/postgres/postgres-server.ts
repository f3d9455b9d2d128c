import { execFile, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
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
  /** Runs statements in one of its databases as its superuser. */
  execute(database: string, ...statements: readonly string[]): Promise<void>;
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
];

/** Makes a server with further settings, such as `port = 5433`, and starts it. It listens on a socket alone. */
export async function startPostgres(further: readonly string[] = []): Promise<PostgresServer> {
  const folder = temporaryFolder('postgres');
  const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = runAs();
  // The folder of a run admits nobody else.
  if (runAs().uid !== undefined) chmodSync(tmpdir(), 0o711);
  const [data, socket] = [join(folder.path, 'data'), join(folder.path, 'socket')];
  chownSync(folder.path, uid, gid);
  mkdirSync(socket);
  chownSync(socket, uid, gid);
  const { initdb, pg_ctl } = await postgresPrograms(folder.path);
  const as = { cwd: folder.path, uid, gid, env: { LC_ALL: 'C', PATH: process.env['PATH'] } };
  const making = ['-D', data, '-U', superuser, '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await promisify(execFile)(initdb, making, as);
  const own = [`unix_socket_directories = '${socket}'`, "listen_addresses = ''", ...settings, ...further];
  appendFileSync(join(data, 'postgresql.conf'), `\n${own.join('\n')}\n`);
  const stop = () => void spawnSync(pg_ctl, ['stop', '-D', data, '-m', 'immediate', '-w', '-s'], as);
  const log = join(folder.path, 'log');
  const start = async () =>
    void (await promisify(execFile)(pg_ctl, ['start', '-D', data, '-w', '-s', '-l', log], { ...as, timeout: 60_000 }));
  await start();
  return {
    socket,
    data,
    async execute(database, ...statements) {
      const client = new Client({ host: socket, user: superuser, database });
      await client.connect();
      try {
        for (const statement of statements) await client.query(statement);
      } finally {
        await client.end();
      }
    },
    stop,
    start,
    remove() {
      stop();
      rmSync(folder.path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
