import {
  AbstractSqlDriver,
  type Configuration,
  type Constructor,
  type Dictionary,
  MikroORM,
  SqliteConnection,
  SqlitePlatform,
} from '@mikro-orm/sqlite';
import type Database from 'better-sqlite3';
import { TwoConnections } from './two-connections.ts';

type Dialect = ReturnType<SqliteConnection['createKyselyDialect']>;

/** How SQLite spells the column types that databases spell differently, for migrations. */
export const columnTypes = {
  boolean: 'integer',
  /** A key that the database counts up and never gives out again. */
  serial: 'integer not null primary key autoincrement',
} as const;

/**
 * MikroORM's SQLite driver with what it leaves open: durable settings that are read back, write transactions that begin
 * immediately, integers that stay exact, texts that may hold any character, and reads that wait for no write:
 * transactions that say they only read have their own connection, and all else goes to the thread that writes.
 */
export class DurableSqliteDriver extends AbstractSqlDriver<SqliteConnection> {
  constructor(config: Configuration) {
    super(config, new ExactPlatform(), DurableConnection, []);
  }

  override getORMClass(): Constructor<MikroORM> {
    return MikroORM;
  }
}

/** What the driver is given next to the file, as `driverOptions`. */
export interface DurableSqliteOptions {
  /** Is notified of what is found wrong with the file while it is open: damage, and what cannot be read. */
  readonly onFault?: (error: Error) => void;
}

class ExactPlatform extends SqlitePlatform {
  /** SQL ends at a NUL character, so a text that holds one is put together from its parts. */
  override escape(value: unknown): string {
    const escaped = super.escape(value as string);
    return escaped.includes('\0') ? `(${escaped.replaceAll('\0', "'||char(0)||'")})` : escaped;
  }
}

class DurableConnection extends SqliteConnection {
  override createKyselyDialect(options: Dictionary): Dialect {
    const dialect = super.createKyselyDialect(options);
    const reader = this['database'] as Database;
    const { onFault = () => undefined }: DurableSqliteOptions = options;
    return {
      createDriver: () => new TwoConnections(dialect.createDriver(), reader, onFault),
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
