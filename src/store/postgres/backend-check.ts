import { Client, type PoolConfig } from 'pg';

/**
 * How long a statement may take before its server is asked about it, and between two such questions, in milliseconds.
 */
const askEvery = 1_000;
/** How long the server may take to answer such a question, in milliseconds. */
const answersWithin = 2_000;

/** Whether this backend still runs, on the current server. */
const look = `select 1 from pg_stat_activity where pid = $1 and application_name = current_setting('application_name')`;

/** The server of a connection no longer answers, or no longer has its backend. */
export class DeadBackend extends Error {}

/**
 * Finds out whether the backend of a connection is still there. A network that was cut reports nothing: without this, a
 * statement would wait for as long as TCP does, which is a quarter of an hour.
 */
export class BackendCheck {
  readonly #config: PoolConfig;
  readonly #pid: number;

  /** @param pid the backend's process id */
  constructor(config: PoolConfig, pid: number) {
    this.#config = config;
    this.#pid = pid;
  }

  /**
   * Waits for the result of a statement, however long it takes, as long as its backend is there.
   * @throws whatever the statement throws; DeadBackend
   */
  async watch<T>(result: Promise<T>): Promise<T> {
    const { promise: isLost, reject } = Promise.withResolvers<never>();
    let isOver = false;
    let timer: NodeJS.Timeout;
    const askLater = (): void => {
      timer = setTimeout(() => {
        this.#requireBackend().then(() => isOver || askLater(), reject);
      }, askEvery);
    };
    askLater();
    return Promise.race([result, isLost]).finally(() => {
      isOver = true;
      clearTimeout(timer);
    });
  }

  /** @throws DeadBackend */
  async #requireBackend(): Promise<void> {
    const client = new Client({ ...this.#config, query_timeout: answersWithin });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rowCount } = await client.query(look, [this.#pid]);
      if (rowCount === 0) throw new Error('The server no longer has this connection');
    } catch (cause) {
      // A server that refuses another connection is running.
      if (!isAnswer(cause)) throw new DeadBackend('The server of a statement no longer answers', { cause });
    } finally {
      client.end().catch(() => undefined);
    }
  }
}

/** Whether the server itself answered with an error. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}
