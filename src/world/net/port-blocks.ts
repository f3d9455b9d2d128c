import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { isWithin } from '#world/within.ts';
import { findPort } from './tcp-port.ts';

/** Number of ports of a worktree. */
const size = 10;
/** The range of the blocks: no system assigns these ports to outgoing connections. */
const [lowest, blocks] = [20_000, 1_000];
const everywhere = ['0.0.0.0', '::'] as const;

/**
 * Ten TCP ports for each worktree of this host, for the servers that its agents start. A block is recorded in a file,
 * stays the worktree's until that is gone, and belongs to no other worktree meanwhile.
 */
export class PortBlocks {
  readonly #file: string;
  readonly #worktrees: string;

  constructor(file: string, worktrees: string) {
    this.#file = file;
    this.#worktrees = worktrees;
  }

  /**
   * The variables `MUSTER_PORT_0` to `MUSTER_PORT_9` of the worktree that a directory is in; none outside worktrees.
   * @throws RESOURCE_EXHAUSTED when no block is free
   */
  async variables(directory: string): Promise<Record<string, string>> {
    const first = await this.#firstPort(directory);
    if (first === undefined) return {};
    return Object.fromEntries(Array.from({ length: size }, (_, n) => [`MUSTER_PORT_${n}`, String(first + n)]));
  }

  /**
   * As `variables`, and checks that no other program has one of the ports.
   * @throws FAILED_PRECONDITION when a program has one that runs outside the worktree
   */
  async checked(directory: string): Promise<Record<string, string>> {
    const variables = await this.variables(directory);
    for (const port of Object.values(variables).map(Number)) {
      if (!('takenAt' in (await findPort(everywhere, port)))) continue;
      const holder = await listenerOn(port);
      // The worktree's own servers may still run, also those that a script started as another user.
      if (holder === undefined || isWithin(this.#rootOf(directory) ?? directory, holder.cwd)) continue;
      throw new Failure(
        'PORT_TAKEN',
        `port ${port} of its worktree is taken by process ${holder.pid} in ${holder.cwd}: end that, then retry`,
      );
    }
    return variables;
  }

  #firstPort(directory: string): Promise<number | undefined> {
    const root = this.#rootOf(directory);
    if (root === undefined) return Promise.resolve(undefined);
    return withMutex(`ports ${this.#file}`, async () => {
      const kept = new Map(Object.entries(this.#read()).filter(([path]) => existsSync(path)));
      const known = kept.get(root);
      if (known !== undefined) return known;
      const first = await freeBlock(root, new Set(kept.values()));
      writePrivateFile(this.#file, `${JSON.stringify(Object.fromEntries(kept.set(root, first)))}\n`);
      return first;
    });
  }

  #read(): Record<string, number> {
    return JSON.parse(readPrivateFile(this.#file) ?? '{}') as Record<string, number>;
  }

  /** The worktree that a directory is in: the folder of its repository, and its own. */
  #rootOf(directory: string): string | undefined {
    if (!isWithin(this.#worktrees, directory)) return undefined;
    const [repository, name] = relative(this.#worktrees, directory).split(sep);
    return repository && name ? join(this.#worktrees, repository, name) : undefined;
  }
}

/**
 * The first port of a block whose ports are all free. Where the search begins depends on the path, so that two hosts of
 * one machine rarely try the same.
 */
async function freeBlock(root: string, taken: ReadonlySet<number>): Promise<number> {
  const start = createHash('sha256').update(root).digest().readUInt32BE() % blocks;
  for (let tries = 0; tries < blocks; tries += 1) {
    const first = lowest + ((start + tries) % blocks) * size;
    if (!taken.has(first) && (await areFree(first))) return first;
  }
  throw new Failure('PORT_TAKEN', `all ${blocks} blocks of ports are taken on this host: delete agents, then retry`);
}

async function areFree(first: number): Promise<boolean> {
  for (let port = first; port < first + size; port += 1)
    if ('takenAt' in (await findPort(everywhere, port))) return false;
  return true;
}

/** The process of this user that listens on a port, and its directory; undefined if the system does not report it. */
async function listenerOn(port: number): Promise<{ readonly pid: number; readonly cwd: string } | undefined> {
  const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').map((row) => row.trim().split(/\s+/)));
  const listening = rows.filter(([, local = '', , state]) => local.endsWith(hex) && state === '0A');
  const sockets = new Set(listening.map((row) => `socket:[${row[9]}]`));
  if (sockets.size === 0) return undefined;
  for (const pid of (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
    if (!links.some((link) => sockets.has(link))) continue;
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    if (cwd !== undefined) return { pid: Number(pid), cwd };
  }
  return undefined;
}
