import type { EntityManager, EntitySchema, MigrationObject } from '@mikro-orm/sql';
import type { Failure } from '#contract/failure.ts';

/** The tables of a database, and the migrations that create them. */
export interface Schema {
  readonly entities: readonly EntitySchema[];
  /** In the order in which they run. */
  readonly migrations: readonly MigrationObject[];
  /** This version of muster, as MAJOR.MINOR. */
  readonly release: string;
}

/** How rows that an older version wrote are upgraded, once the tables are up to date. */
export interface RowUpgrade {
  /** Whether no row needs it. */
  isDone(em: EntityManager): Promise<boolean>;
  /** Upgrades all of them, or none. */
  run(em: EntityManager): Promise<void>;
}

/** The options with which an engine opens a database. */
export interface OpenOptions {
  readonly schema: Schema;
  readonly rows: RowUpgrade;
  /** Called with each fault that is found in the database while it is open. */
  readonly onFault: (error: unknown) => void;
  /**
   * Called once, when nobody knows whether the last commits are stored: none of them was answered, and every write fails
   * from then on.
   */
  readonly onUnsure: (failure: Failure) => void;
}

/** How a write runs. */
export interface WriteTurn {
  /** How long it is retried while another program or registry keeps the database busy, in milliseconds. */
  readonly patienceMs: number;
  /** May be called before the write ends, once the next one may begin. */
  readonly over?: () => void;
}

/** A database that the store can run on. */
export interface Engine {
  /** Opens the database and brings its tables up to date. */
  open(opening: OpenOptions): Promise<OpenDatabase>;
}

/** Work in one transaction. To retry, an engine runs it again from the start. */
export type DatabaseWork<T> = (em: EntityManager) => Promise<T>;

/** The time that the registries of one database share. */
export interface SharedTime {
  /** The database server's time, in milliseconds since 1970. */
  readonly now: number;
  /** By how many milliseconds the stored times have been moved so far, because that clock was set. */
  readonly steps: number;
}

/** An open database. */
export interface OpenDatabase {
  /** Runs reads on one snapshot of the database. */
  read<T>(work: DatabaseWork<T>): Promise<T>;
  /** Commits everything that the work writes, durably, or nothing if it throws. */
  write<T>(work: DatabaseWork<T>, turn: WriteTurn): Promise<T>;
  /** The failure for an error of the database; any other error is returned unchanged. */
  failureOf(error: unknown): Promise<unknown>;
  /** The kind of a database fault, as metrics label it; undefined if the error is not the database's. */
  kindOf(error: unknown): string | undefined;
  /** Reads the time for registries that share the database; undefined if only this process writes to it. */
  readonly sharedTime: (() => Promise<SharedTime>) | undefined;
  sizes(): DatabaseSizes;
  close(): Promise<void>;
}

/** The size of a database, in bytes. */
export interface DatabaseSizes {
  readonly bytes: number;
  /** The size of the write-ahead log; 0 if the engine does not report it. */
  readonly walBytes: number;
}

/** The options of MikroORM that every engine uses. */
export function ormOptions({ entities, migrations }: Schema) {
  return {
    entities: [...entities],
    migrations: { migrationsList: [...migrations], snapshot: false, disableForeignKeys: false, silent: true },
  };
}
