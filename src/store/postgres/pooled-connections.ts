import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg';
import { columnReaders } from './column-readers.ts';
import { CompiledTexts } from './compiled-texts.ts';
import { UnknownCommit } from './unknown-commit.ts';

/** What a pool of connections is made with. */
export interface PoolOptions {
  readonly config: PoolConfig;
  /** Sets a new connection up and checks it; the connection is not used if it throws. */
  readonly settle: (client: ClientBase) => Promise<void>;
}

/** Connections to PostgreSQL, as Kysely's driver uses them. */
export class PooledConnections implements PostgresPool {
  readonly #pool: Pool;
  readonly #texts = new CompiledTexts();

  constructor({ config, settle }: PoolOptions) {
    this.#pool = new Pool({
      ...config,
      types: columnReaders(),
      async onConnect(client) {
        // A connection that is lost is reported by the statement that needs it.
        client.on('error', () => undefined);
        await settle(client);
      },
    });
    this.#pool.on('error', () => undefined);
  }

  get options(): object {
    return this.#pool.options;
  }

  async connect(): Promise<PooledConnection> {
    return new PooledConnection(await this.#pool.connect(), this.#texts);
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

/** One connection, until it is given back. */
class PooledConnection implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #texts: CompiledTexts;
  /** What it was lost with: then nobody may use it again. */
  #lost: Error | undefined;

  constructor(client: PoolClient, texts: CompiledTexts) {
    this.#client = client;
    this.#texts = texts;
    client.on('error', this.#onError);
  }

  query<R>(sql: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    sql: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== 'string') throw new TypeError('Rows are read all at once');
    return this.#run<R>(sql, values);
  }

  async #run<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const name = values.length > 0 ? this.#texts.nameOf(text) : undefined;
    try {
      const { command, rowCount, rows } = await this.#client.query({ text, values: [...values], ...(name && { name }) });
      return { command: command as PostgresQueryResult<R>['command'], rowCount: rowCount ?? 0, rows: rows as R[] };
    } catch (error) {
      if (isAnswer(error)) throw error;
      this.#lost = error instanceof Error ? error : new Error(String(error));
      throw text === 'commit' ? new UnknownCommit(error) : error;
    }
  }

  release(): void {
    this.#client.off('error', this.#onError);
    this.#client.release(this.#lost);
  }

  #onError = (error: Error): void => {
    this.#lost = error;
  };
}

/** Whether the server itself refused a statement, after which the connection goes on. */
function isAnswer(error: unknown): boolean {
  const severity = error instanceof Error && 'severity' in error ? error.severity : undefined;
  return severity === 'ERROR';
}
