import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg';
import { Failure } from '#contract/failure.ts';
import { BackendCheck, DeadBackend } from './backend-check.ts';
import { columnReaders } from './column-readers.ts';
import { LostConnection, mainError, UnknownCommit } from './lost-connection.ts';
import { PreparedStatements } from './prepared-statements.ts';

/** How to connect to a database. */
export interface PoolOptions {
  /** The connection options of each server of the database. */
  readonly configs: readonly PoolConfig[];
  /**
   * Sets a new connection up and checks it; the connection is not used if it throws. Returns the backend's process id.
   */
  readonly prepare: (client: ClientBase) => Promise<number>;
}

/** How long to wait before servers that do not answer are tried again, in milliseconds. */
const triedAgainAfter = 250;

/**
 * Connections to PostgreSQL, as Kysely's driver uses them. Of several servers one is used until it cannot be written
 * to; then the next one is. While none answers, callers are refused at once, and only a probe waits for the servers.
 */
export class PooledConnections implements PostgresPool {
  readonly #pools: readonly Pool[];
  readonly #statements = new PreparedStatements();
  readonly #backends = new WeakMap<ClientBase, Backend>();
  #current = 0;
  /** When a connection was last found dead, by `performance.now`. Connections older than that are not used. */
  #distrustBefore = Number.NEGATIVE_INFINITY;
  /** Why no server can be used now. */
  #unavailable: unknown;
  #probe: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor({ configs, prepare }: PoolOptions) {
    this.#pools = configs.map((config) => {
      const pool = new Pool({
        ...config,
        types: columnReaders(),
        onConnect: async (client) => {
          // A connection that is lost is reported by the statement that needs it.
          client.on('error', () => undefined);
          const since = performance.now();
          this.#backends.set(client, { since, check: new BackendCheck(config, await prepare(client)) });
        },
      });
      pool.on('error', () => undefined);
      return pool;
    });
  }

  get options(): object {
    return this.#pools[0]?.options ?? {};
  }

  async connect(): Promise<PooledConnection> {
    if (this.#unavailable !== undefined) throw this.#unavailable;
    try {
      return await this.#connectAny();
    } catch (error) {
      this.#reportUnavailable(error);
      throw error;
    }
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#probe);
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  /** A connection to the first server that can be used, beginning with the one that was used last. */
  async #connectAny(): Promise<PooledConnection> {
    const errors: unknown[] = [];
    const first = this.#current;
    for (let tries = 0; tries < this.#pools.length; tries += 1) {
      const place = (first + tries) % this.#pools.length;
      try {
        const connection = await this.#connectTo(place);
        this.#current = place;
        return connection;
      } catch (error) {
        errors.push(error);
      }
    }
    const error = mainError(errors);
    throw error instanceof Failure ? error : new LostConnection(error);
  }

  async #connectTo(place: number): Promise<PooledConnection> {
    for (;;) {
      const client = await this.#pools[place]?.connect();
      if (client === undefined) throw new Error('The address names no server');
      const backend = this.#backends.get(client);
      const onDead = (error: Error) => {
        this.#distrustBefore = performance.now();
        this.#current = (place + 1) % this.#pools.length;
        this.#reportUnavailable(new LostConnection(error));
      };
      if (backend === undefined || backend.since >= this.#distrustBefore)
        return new PooledConnection(client, this.#statements, { check: backend?.check, onDead });
      client.release(true);
    }
  }

  /** Refuses callers from now on, until a probe finds a usable server. */
  #reportUnavailable(error: unknown): void {
    if (this.#unavailable !== undefined || this.#isEnded || isOfOwnPool(error)) return;
    this.#unavailable = error;
    const probe = (): void => {
      this.#connectAny().then(
        (connection) => {
          connection.release();
          this.#unavailable = undefined;
        },
        (again: unknown) => {
          this.#unavailable = again;
          probeLater();
        },
      );
    };
    const probeLater = (): void => {
      if (!this.#isEnded) this.#probe = setTimeout(probe, triedAgainAfter).unref();
    };
    probe();
  }
}

/** The backend of a connection, and when it was connected, by `performance.now`. */
interface Backend {
  readonly since: number;
  readonly check: BackendCheck;
}

/** The dependencies of the check for a dead connection. */
interface Watch {
  readonly check: BackendCheck | undefined;
  /** Called when it is found dead without a report. Others of its age are then dead as well. */
  onDead(error: Error): void;
}

/** Whether the error is that all connections of this process are in use, and no server is at fault. */
function isOfOwnPool(error: unknown): boolean {
  const cause = error instanceof LostConnection ? error.cause : undefined;
  return cause instanceof Error && cause.message === 'timeout exceeded when trying to connect';
}

/** A connection that was taken from the pool, until it is released. */
class PooledConnection implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #statements: PreparedStatements;
  readonly #watch: Watch;
  /** The error that broke the connection; it must not be reused. */
  #lost: Error | undefined;
  #isOver = false;

  constructor(client: PoolClient, statements: PreparedStatements, watch: Watch) {
    this.#client = client;
    this.#statements = statements;
    this.#watch = watch;
    client.on('error', this.#onError);
  }

  query<R>(sql: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== 'string') throw new TypeError('Streaming queries are not supported');
    return this.#run<R>(sql, values);
  }

  async #run<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (this.#isOver) return gone(text);
    const name = values.length > 0 ? this.#statements.nameOf(text) : undefined;
    try {
      const asked = this.#client.query({ text, values: [...values], ...(name && { name }) });
      const { command, rowCount, rows } = await (this.#watch.check?.watch(asked) ?? asked);
      return { command: command as PostgresQueryResult<R>['command'], rowCount: rowCount ?? 0, rows: rows as R[] };
    } catch (error) {
      if (isAnswer(error)) throw error;
      if (error instanceof DeadBackend) this.#watch.onDead(error);
      this.#releaseOnce(error instanceof Error ? error : new Error(String(error)));
      throw text === 'commit' ? new UnknownCommit(error) : new LostConnection(error);
    }
  }

  release(): void {
    this.#releaseOnce(this.#lost);
  }

  /**
   * Releases the connection once. A lost one is released immediately, because Kysely keeps a connection on which a
   * transaction fails to begin.
   */
  #releaseOnce(lost: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#client.off('error', this.#onError);
    this.#client.release(lost);
  }

  #onError = (error: Error): void => {
    this.#lost = error;
  };
}

/**
 * The result of a statement on a lost connection: its transaction ended with it, so a rollback succeeds and everything
 * else fails.
 */
function gone<R>(text: string): PostgresQueryResult<R> {
  if (text === 'rollback') return { command: 'UPDATE', rowCount: 0, rows: [] };
  throw new LostConnection(new Error('The connection was lost before'));
}

/** Whether the server refused a statement, so that the connection stays usable. */
function isAnswer(error: unknown): boolean {
  const severity = error instanceof Error && 'severity' in error ? error.severity : undefined;
  return severity === 'ERROR';
}
