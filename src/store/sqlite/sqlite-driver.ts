import {
  AbstractSqlDriver,
  type Configuration,
  type Constructor,
  type Dictionary,
  MikroORM,
  SqliteConnection,
  SqlitePlatform,
  type Transaction,
} from '@mikro-orm/sqlite';
import type Database from 'better-sqlite3';
import { CompiledQuery } from 'kysely';
import { type Binding, boundStatement } from '#store/database/bound-statement.ts';
import { bound } from './native-database.ts';
import { TwoConnections } from './two-connections.ts';

type Execute = SqliteConnection['execute'];
type Dialect = ReturnType<SqliteConnection['createKyselyDialect']>;

/**
 * MikroORM's SQLite driver with what it leaves open: durable settings that are read back, write transactions that begin
 * immediately, integers that stay exact, texts that may hold any character, and reads that wait for no write:
 * transactions that say they only read have their own connection, and all else goes to the thread that writes.
 */
export class DurableSqliteDriver extends AbstractSqlDriver<SqliteConnection> {
  constructor(config: Configuration) {
    super(config, new SqlitePlatform(), DurableConnection, []);
  }

  override getORMClass(): Constructor<MikroORM> {
    return MikroORM;
  }
}

/** What the driver is given next to the file, as `driverOptions`. */
export interface DurableSqliteOptions {
  /** Is notified of what is found wrong with the file while it is open: damage, and what cannot be read. */
  readonly onFault?: (error: Error) => void;
  /** Is given the connections as they open. */
  readonly onConnections?: (connections: TwoConnections) => void;
}

/** A place is a question mark wherever it stands. */
const binding: Binding = { placeholder: () => '?', bound };

class DurableConnection extends SqliteConnection {
  override async execute<T>(
    asked: Parameters<Execute>[0],
    values: readonly unknown[] | Dictionary = [],
    method: 'all' | 'get' | 'run' = 'all',
    transaction?: Transaction,
  ): Promise<T> {
    await this.ensureConnection();
    const { sql, parameters } = boundStatement(asked, values, this.platform, binding);
    const result = await (transaction ?? this.getClient()).executeQuery(CompiledQuery.raw(sql, [...parameters]));
    return this.transformRawResult(result, method);
  }

  override createKyselyDialect(options: Dictionary): Dialect {
    const dialect = super.createKyselyDialect(options);
    const reader = this['database'] as Database;
    const { onFault = () => undefined, onConnections }: DurableSqliteOptions = options;
    return {
      createDriver() {
        const connections = new TwoConnections(dialect.createDriver(), reader, onFault);
        onConnections?.(connections);
        return connections;
      },
      createAdapter: () => lockless(dialect.createAdapter()),
      createIntrospector: (kysely) => dialect.createIntrospector(kysely),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    };
  }
}

/**
 * Kysely guards a single connection with a lock that it does not give back where a transaction fails to begin. The
 * store lets one piece of work at a time through to each connection, so the lock is not needed.
 */
function lockless<A extends object>(adapter: A): A {
  return Object.create(adapter, { supportsMultipleConnections: { value: true } }) as A;
}
