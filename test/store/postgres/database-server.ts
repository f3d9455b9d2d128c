import { engineOn } from '#test/support/postgres/postgres-database.ts';
import { type PostgresServer, startPostgres } from '#test/support/postgres/postgres-server.ts';

/** The server of one group of tests, with an empty database for each of them. */
export class DatabaseServer {
  #server: PostgresServer | undefined;
  #made = 0;

  /** Starts the server for the group in which it is called, and makes a database before each test. */
  static forEachTest(): DatabaseServer {
    const one = new DatabaseServer();
    before(async () => {
      one.#server = await startPostgres();
    });
    after(() => one.running.remove());
    beforeEach(() => one.#make());
    return one;
  }

  get running(): PostgresServer {
    if (this.#server === undefined) throw new Error('The server has not been started');
    return this.#server;
  }

  /** The name of this test's database. */
  get database(): string {
    return `test_${this.#made}`;
  }

  engine(database = this.database) {
    return engineOn(this.running, database);
  }

  async #make(): Promise<void> {
    this.#made += 1;
    await this.running.execute('postgres', `create database ${this.database}`);
  }
}
