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
import { FileDriver } from './file-driver.ts';
import { bound } from './native-database.ts';
import type { DatabaseListener } from './open-sqlite.ts';

type Execute = SqliteConnection['execute'];
type Dialect = ReturnType<SqliteConnection['createKyselyDialect']>;

/**
 * MikroORM's SQLite driver, with durable settings that are read back, write transactions that lock at once, exact
 * integers, texts with any character, and a connection of its own for reads.
 */
export class DurableSqliteDriver extends AbstractSqlDriver<SqliteConnection> {
  constructor(config: Configuration) {
    super(config, new SqlitePlatform(), DurableConnection, []);
  }

  override getORMClass(): Constructor<MikroORM> {
    return MikroORM;
  }
}

/** The driver's own options, passed as `driverOptions`. */
export interface DurableSqliteOptions {
  /** Without one, faults that are found while the file is open are ignored. */
  readonly listener?: DatabaseListener;
  /** Called with the driver before it opens the file. */
  readonly onDriver?: (driver: FileDriver) => void;
}

const ignore = (): void => undefined;
const noListener: DatabaseListener = { onFault: ignore, onDue: ignore, onUnsynced: ignore };

/** Every placeholder is a plain question mark. */
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
    const database = this['database'] as Database;
    const { listener = noListener, onDriver }: DurableSqliteOptions = options;
    return {
      createDriver() {
        const driver = new FileDriver(dialect.createDriver(), database, listener);
        onDriver?.(driver);
        return driver;
      },
      createAdapter: () => withoutLock(dialect.createAdapter()),
      createIntrospector: (kysely) => dialect.createIntrospector(kysely),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    };
  }
}

/**
 * Kysely guards a single connection with a lock that it does not release if a transaction fails to begin. The store
 * runs one piece of work at a time on each connection, so the lock is not needed.
 */
function withoutLock<A extends object>(adapter: A): A {
  return Object.create(adapter, { supportsMultipleConnections: { value: true } }) as A;
}
