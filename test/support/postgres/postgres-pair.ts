import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '#test/support/free-port.ts';
import { moment } from '../moment.ts';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';
import { type PostgresPrograms, postgresPrograms, runAs } from './postgres-programs.ts';
import { runStatements, superuser } from './postgres-server.ts';

/** The servers of a pair, by name. */
export const pairNames = ['postgres-1', 'postgres-2'] as const;
export type PairName = (typeof pairNames)[number];

interface Node {
  readonly name: PairName;
  readonly data: string;
  readonly port: number;
}

const settings = [
  'fsync = off',
  'shared_buffers = 32MB',
  'max_connections = 100',
  'max_pred_locks_per_transaction = 256',
  'dynamic_shared_memory_type = mmap',
  'wal_keep_size = 256MB',
  "timezone = 'UTC'",
  "unix_socket_directories = ''",
  "listen_addresses = '127.0.0.1'",
];

/** What the copy of a running server leaves out: the standby makes its own, or gets it from the primary. */
const notCopied = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'backup_label', 'standby.signal'];

/**
 * Two PostgreSQL servers, one of them the primary: a commit is answered once both have it. The other one is promoted
 * in its place, as a tool for failover does.
 */
export class PostgresPair {
  readonly #folder: TemporaryFolder;
  readonly #nodes: readonly Node[];
  readonly #programs: PostgresPrograms;
  #primary: Node;

  private constructor(programs: PostgresPrograms, ports: readonly number[], folder: TemporaryFolder) {
    this.#programs = programs;
    this.#folder = folder;
    this.#nodes = pairNames.map((name, place) => ({ name, data: join(folder.path, name), port: ports[place] ?? 0 }));
    const [primary] = this.#nodes;
    if (primary === undefined) throw new Error('A pair has two servers');
    this.#primary = primary;
  }

  static async start(): Promise<PostgresPair> {
    const folder = temporaryFolder('pair');
    const { uid, gid } = identity();
    // The folder of a run is closed to other users.
    if (runAs().uid !== undefined) chmodSync(tmpdir(), 0o711);
    chownSync(folder.path, uid, gid);
    const ports: number[] = [];
    for (const _ of pairNames) ports.push(await freePort());
    const pair = new PostgresPair(await postgresPrograms(folder.path), ports, folder);
    await pair.#make();
    return pair;
  }

  /** The name of the one that is written to. */
  get primary(): PairName {
    return this.#primary.name;
  }

  /** The name of the other one. */
  get standby(): PairName {
    return this.#other(this.#primary).name;
  }

  portOf(name: PairName): number {
    return this.#node(name).port;
  }

  /** Runs statements at the primary as its superuser; gives the rows of the last one. */
  async execute(database: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
    return this.#at(this.#primary, database, statements);
  }

  /** Kills the primary and promotes the standby. What was answered as committed is there. */
  async failOver(): Promise<void> {
    const old = this.#primary;
    await this.kill(old.name);
    this.#primary = this.#other(old);
    await this.#control(this.#primary, 'promote', '-w');
  }

  /** Ends a server and every process of it at once, as a fault of its machine would. */
  async kill(name: PairName): Promise<void> {
    const file = join(this.#node(name).data, 'postmaster.pid');
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    const all = (await processes()).flatMap((one) => (one.pid === pid || one.parent === pid ? one.pid : []));
    for (const one of all) {
      try {
        process.kill(one, 'SIGKILL');
      } catch {
        // It has ended with its parent.
      }
    }
    await moment(`${name} has ended`, async () => !(await processes()).some((one) => all.includes(one.pid)));
    // A process that has ended and is not yet reaped would pass for a server that still runs.
    rmSync(file, { force: true });
  }

  /** Starts a server that was killed as what it was. */
  async restart(name: PairName): Promise<void> {
    await this.#start(this.#node(name));
  }

  /** Makes the server that is not the primary a copy of it, from which on commits wait for it. */
  async rebuildStandby(): Promise<void> {
    const primary = this.#primary;
    const standby = this.#other(primary);
    await this.#copy(primary, standby);
    const conninfo = `host=127.0.0.1 port=${primary.port} user=${superuser} application_name=${standby.name}`;
    this.#configure(standby, [`primary_conninfo = '${conninfo}'`]);
    writeFileSync(join(standby.data, 'standby.signal'), '', { mode: 0o600 });
    this.#own(standby, 'standby.signal');
    await this.#start(standby);
    await this.#at(primary, 'postgres', [
      `alter system set synchronous_standby_names = '"${standby.name}"'`,
      'select pg_reload_conf()',
    ]);
    await this.whole();
  }

  /** Waits until commits wait for the standby, and it is there. */
  async whole(): Promise<void> {
    const question = `select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`;
    await moment('the standby is synchronous', async () => {
      const rows = await this.#at(this.#primary, 'postgres', [question]).catch(() => []);
      return rows.length === 1;
    });
  }

  /** Stops both and removes all of it. */
  async remove(): Promise<void> {
    for (const node of this.#nodes) await this.#control(node, 'stop', '-m', 'immediate', '-w').catch(() => undefined);
    this.#folder.remove();
  }

  async #make(): Promise<void> {
    const [first, second] = this.#nodes;
    if (first === undefined || second === undefined) return;
    const making = ['-D', first.data, '-U', superuser, '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    await this.#run(this.#programs.initdb, making);
    appendFileSync(join(first.data, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
    this.#configure(first, []);
    const { uid, gid } = identity();
    mkdirSync(second.data, { mode: 0o700 });
    chownSync(second.data, uid, gid);
    await this.#start(first);
    await this.rebuildStandby();
  }

  /**
   * Copies a running server, as PostgreSQL's low-level interface for backups has it: pg_basebackup is not installed.
   */
  async #copy(from: Node, to: Node): Promise<void> {
    const client = new Client({ host: '127.0.0.1', port: from.port, user: superuser, database: 'postgres' });
    await client.connect();
    try {
      await client.query(`select pg_backup_start('standby', true)`);
      // The folder itself stays: a server finds by it what an earlier one left in shared memory.
      for (const name of readdirSync(to.data)) await rm(join(to.data, name), { recursive: true });
      const names = readdirSync(from.data).filter((name) => !notCopied.includes(name));
      const paths = names.map((name) => join(from.data, name));
      // A file that goes away meanwhile is in the log.
      await this.#run('cp', ['-a', ...paths, to.data]).catch((error: Error) => {
        if (!/No such file/.test(error.message)) throw error;
      });
      await this.#run('mkdir', ['-m', '700', ...['pg_wal', 'pg_replslot'].map((name) => join(to.data, name))]);
      const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
      writeFileSync(join(to.data, 'backup_label'), rows[0]?.label ?? '', { mode: 0o600 });
      this.#own(to, 'backup_label');
    } finally {
      await client.end();
    }
  }

  /** Writes what a server has of its own, in place of what it may have been copied with. */
  #configure(node: Node, own: readonly string[]): void {
    writeFileSync(join(node.data, 'postgresql.auto.conf'), `port = ${node.port}\n${own.join('\n')}\n`, { mode: 0o600 });
    this.#own(node, 'postgresql.auto.conf');
  }

  #own(node: Node, file: string): void {
    const { uid, gid } = identity();
    chownSync(join(node.data, file), uid, gid);
  }

  #start(node: Node): Promise<void> {
    return this.#control(node, 'start', '-w', '-l', join(this.#folder.path, `${node.name}.log`));
  }

  #control({ data }: Node, verb: string, ...more: readonly string[]): Promise<void> {
    return this.#run(this.#programs.pg_ctl, [verb, '-D', data, '-s', '-t', '30', ...more]);
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const env = { LC_ALL: 'C', PATH: process.env['PATH'] };
    await promisify(execFile)(program, args, { cwd: this.#folder.path, ...identity(), env, timeout: 60_000 });
  }

  async #at({ port }: Node, database: string, statements: readonly string[]): Promise<Record<string, unknown>[]> {
    const client = new Client({ host: '127.0.0.1', port, user: superuser, database, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    return runStatements(client, statements);
  }

  #node(name: PairName): Node {
    return this.#nodes.find((node) => node.name === name) ?? this.#primary;
  }

  #other(node: Node): Node {
    return this.#nodes.find((one) => one !== node) ?? node;
  }
}

/** Whom the servers run as. */
function identity(): { readonly uid: number; readonly gid: number } {
  const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = runAs();
  return { uid, gid };
}

/** Every process that runs; one that has ended and is not yet reaped does not. */
async function processes(): Promise<{ readonly pid: number; readonly parent: number }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, state = 'Z'] = line.trim().split(/\s+/);
    return state.startsWith('Z') ? [] : { pid: Number(pid), parent: Number(parent) };
  });
}
