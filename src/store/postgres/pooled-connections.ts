import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg';
import { Failure } from '#contract/failure.ts';
import { columnReaders } from './column-readers.ts';
import { LostConnection, UnknownCommit } from './lost-connection.ts';
import { PreparedStatements } from './prepared-statements.ts';

/** The options of a connection pool. */
export interface PoolOptions {
  readonly config: PoolConfig;
  /** Sets a new connection up and checks it; the connection is not used if it throws. */
  readonly configure: (client: ClientBase) => Promise<void>;
}

/** Connections to PostgreSQL, as Kysely's driver uses them. */
export class PooledConnections implements PostgresPool {
  readonly #pool: Pool;
  readonly #statements = new PreparedStatements();

  constructor({ config, configure }: PoolOptions) {
    this.#pool = new Pool({
      ...config,
      types: columnReaders(),
      async onConnect(client) {
        // The next statement on a lost connection reports the loss.
        client.on('error', () => undefined);
        await configure(client);
      },
    });
    this.#pool.on('error', () => undefined);
  }

  get options(): object {
    return this.#pool.options;
  }

  async connect(): Promise<PooledConnection> {
    try {
      return new PooledConnection(await this.#pool.connect(), this.#statements);
    } catch (error) {
      throw error instanceof Failure ? error : new LostConnection(error);
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

/** A connection that was taken from the pool, until it is released. */
class PooledConnection implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #statements: PreparedStatements;
  /** The error that broke the connection; it must not be reused. */
  #lost: Error | undefined;
  #isOver = false;

  constructor(client: PoolClient, statements: PreparedStatements) {
    this.#client = client;
    this.#statements = statements;
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
      const { command, rowCount, rows } = await this.#client.query({
        text,
        values: [...values],
        ...(name && { name }),
      });
      return { command: command as PostgresQueryResult<R>['command'], rowCount: rowCount ?? 0, rows: rows as R[] };
    } catch (error) {
      if (isAnswer(error)) throw error;
      this.#giveBack(error instanceof Error ? error : new Error(String(error)));
      throw text === 'commit' ? new UnknownCommit(error) : new LostConnection(error);
    }
  }

  release(): void {
    this.#giveBack(this.#lost);
  }

  /**
   * Releases the connection once. A lost one is released immediately, because Kysely keeps a connection on which a
   * transaction fails to begin.
   */
  #giveBack(lost: Error | undefined): void {
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
