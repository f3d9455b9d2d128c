import type { Client } from 'pg';
import type { Engine, OpenDatabase, OpenOptions } from '#store/database/engine.ts';
import { migrations } from '#store/migrations/list.ts';
import type { StoredRow, TestDatabase } from '#test/store/test-database.ts';
import { emptying, tableNames } from './emptying.ts';

/** How many tests use one database at most: deleted rows stay in its files. */
const maxTests = 50;

/**
 * A database that tests of this process use one after another, emptied between them. Its connections stay open: a new
 * one costs the server as much as a short test does, as it reads the catalogue again.
 */
export class ReusedDatabase implements Omit<TestDatabase, 'drop'> {
  readonly name: string;
  readonly #client: Client;
  readonly #connect: () => Engine;
  readonly #idle: OpenDatabase[] = [];
  #opened = 0;
  #tests = 0;
  #isChanged = false;

  /** @param connect makes an engine that connects to it */
  constructor(name: string, client: Client, connect: () => Engine) {
    this.name = name;
    this.#client = client;
    this.#connect = connect;
    client.on('error', () => {
      this.#isChanged = true;
    });
  }

  /** An engine that opens with connections of an earlier opening, if there is one. */
  engine(): Engine {
    return { open: (options) => this.#open(options) };
  }

  rowsIn(table: string): Promise<StoredRow[]> {
    return this.#ask(`select * from "${table}"`);
  }

  async everyRow(): Promise<Record<string, StoredRow[]>> {
    const tables = await this.#tables();
    const lists = tables.map((table) => `(select coalesce(json_agg(t), '[]') from "${table}" t) as "${table}"`);
    const [row = {}] = await this.#ask(`select ${lists.join(', ')}`);
    return row as Record<string, StoredRow[]>;
  }

  async content(): Promise<string> {
    const texts = (await this.#tables()).map((table) => `select t::text as row from "${table}" t`);
    return (await this.#ask(texts.join(' union all '))).map(({ row }) => String(row)).join('\n');
  }

  /** Empties it for the next test, unless that needs another one; returns whether it did. */
  async empty(): Promise<boolean> {
    this.#tests += 1;
    if (this.#isChanged || this.#opened > 0 || this.#tests >= maxTests) return false;
    try {
      await this.#ask(await emptying(this.#client));
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    this.#isChanged = true;
    await Promise.all(this.#idle.splice(0).map((database) => database.close()));
    await this.#client.end();
  }

  async #ask(statement: string): Promise<StoredRow[]> {
    return (await this.#client.query<StoredRow>(statement)).rows;
  }

  async #tables(): Promise<readonly string[]> {
    return (await this.#ask(tableNames)).map(({ name }) => String(name));
  }

  async #open(options: OpenOptions): Promise<OpenDatabase> {
    // Migrations of a test's own may change the tables.
    if (options.schema.migrations !== migrations) this.#isChanged = true;
    if (this.#isChanged) return await this.#connect().open(options);
    const database = this.#idle.pop() ?? (await this.#connect().open(options));
    this.#opened += 1;
    let isClosed = false;
    const close = async () => {
      if (isClosed) return;
      isClosed = true;
      this.#opened -= 1;
      if (this.#isChanged) await database.close();
      else this.#idle.push(database);
    };
    return keptOpen(database, close);
  }
}

/** A database that another function closes. */
function keptOpen(database: OpenDatabase, close: () => Promise<void>): OpenDatabase {
  return {
    read: (work) => database.read(work),
    write: (work, turn) => database.write(work, turn),
    failureOf: (error) => database.failureOf(error),
    kindOf: (error) => database.kindOf(error),
    sharedTime: database.sharedTime,
    sizes: () => database.sizes(),
    close,
  };
}
