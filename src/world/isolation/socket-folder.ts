import { mkdir, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { join } from 'node:path';

/** What listens on a Unix socket. */
export interface Listener {
  readonly server: Server;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** The maximum number of connections to one socket: an agent could take all files that this process may open. */
const maxConnections = 256;

/** A folder of Unix sockets that this process listens on, in place of any that an earlier process left there. */
export class SocketFolder {
  readonly path: string;
  readonly #listeners = new Map<string, Listener>();

  private constructor(path: string) {
    this.path = path;
  }

  static async open(path: string): Promise<SocketFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return new SocketFolder(path);
  }

  /** Listens on a socket of this name, unless it does already. */
  async listen(name: string, make: () => Promise<Listener> | Listener): Promise<void> {
    if (this.#listeners.has(name)) return;
    const listener = await make();
    this.#listeners.set(name, listener);
    listener.server.maxConnections = maxConnections;
    const path = join(this.path, name);
    await rm(path, { force: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    listener.server.once('error', reject);
    listener.server.listen({ path, backlog: 256 }, resolve);
    await promise.finally(() => listener.server.off('error', reject));
  }

  /** Stops listening. The sockets stay where they are, for the next process to replace. */
  async close(): Promise<void> {
    for (const listener of this.#listeners.values()) await listener.close();
    this.#listeners.clear();
  }

  /** Stops listening, and removes the folder. */
  async remove(): Promise<void> {
    await this.close();
    await rm(this.path, { recursive: true, force: true });
  }
}
