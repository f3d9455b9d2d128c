import type { EntityManager, EntitySchema, MigrationObject, MikroORM } from '@mikro-orm/sql';

/** The tables of a database, and the migrations that create them. */
export interface Schema {
  readonly entities: readonly EntitySchema[];
  /** In the order in which they run. */
  readonly migrations: readonly MigrationObject[];
}

/** What an engine opens a database with. */
export interface Opening {
  readonly schema: Schema;
  /** Upgrades rows that an older version wrote, once the tables are up to date. */
  readonly prepare: (em: EntityManager) => Promise<void>;
  /** Called with each fault that is found in the database while it is open. */
  readonly onFault: (error: unknown) => void;
}

/** A database that the store can run on. */
export interface Engine {
  /** Opens the database and brings its tables up to date. */
  open(opening: Opening): Promise<OpenDatabase>;
}

/** Work on a database. An engine that retries it runs it again from its beginning. */
export type DatabaseWork<T> = (em: EntityManager) => Promise<T>;

/** A database that is open. */
export interface OpenDatabase {
  /** Reads, all of it from one snapshot. */
  read<T>(work: DatabaseWork<T>): Promise<T>;
  /**
   * Commits all that the work writes, durably, or nothing if it throws. If another program or registry keeps the
   * database busy, it retries for this many milliseconds.
   */
  write<T>(work: DatabaseWork<T>, patienceMs: number): Promise<T>;
  /** The failure that an error of the database is; any other error is returned unchanged. */
  failureOf(error: unknown): Promise<unknown>;
  /** What kind of fault of the database an error is, in one word for counting; undefined if it is none. */
  kindOf(error: unknown): string | undefined;
  /**
   * The database's own time, in milliseconds since 1970, for registries that share it; undefined if only this process
   * writes to it.
   */
  readonly sharedTime: (() => Promise<number>) | undefined;
  /** How large it is, in bytes. */
  sizes(): DatabaseSizes;
  close(): Promise<void>;
}

export interface DatabaseSizes {
  readonly bytes: number;
  /** The size of the write-ahead log; 0 if the engine does not report it. */
  readonly walBytes: number;
}

/** How MikroORM is set up alike for every engine. */
export function ormOptions({ entities, migrations }: Schema) {
  return {
    entities: [...entities],
    migrations: { migrationsList: [...migrations], snapshot: false, disableForeignKeys: false, silent: true },
  };
}

/** The name of a migration that this version does not know, because a newer one ran it; undefined if there is none. */
export async function unknownMigration(orm: MikroORM, { migrations }: Schema): Promise<string | undefined> {
  const known = new Set(migrations.map(({ name }) => name));
  return (await orm.migrator.getExecuted()).find(({ name }) => !known.has(name))?.name;
}
