import { statSync } from 'node:fs';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/sqlite';
import { Failure } from '#contract/failure.ts';
import { DiscoveredEntities } from '#store/database/discovered-entities.ts';
import type {
  DatabaseSizes,
  DatabaseWork,
  Engine,
  OpenDatabase,
  OpenOptions,
  WriteTurn,
} from '#store/database/engine.ts';
import { executedMigrations, isMigrated, unknownMigration } from '#store/database/executed-migrations.ts';
import { oneAtATime, type Turns } from '#store/database/turns.ts';
import type { FileDriver } from './file-driver.ts';
import { DurableSqliteDriver, type DurableSqliteOptions } from './sqlite-driver.ts';
import { asFailure, asFailureOf, sqliteCode } from './sqlite-fault.ts';
import { atRest, inUse, isMarkedInUse, markWhole, requireWhole } from './whole-file.ts';
import { type TransactionWork, WriteGroups, within } from './write-groups.ts';

const discovered = new DiscoveredEntities();

/** SQLite in a file that one process owns. */
export class SqliteEngine implements Engine {
  readonly #file: string;

  /** @param file the database file, which is created if it does not exist */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Opens the file.
   * @throws DATA_LOSS when it is damaged or lacks its log, FAILED_PRECONDITION when a newer version of muster wrote it,
   *   INTERNAL when it cannot be made durable
   */
  open(options: OpenOptions): Promise<OpenDatabase> {
    const turns = oneAtATime();
    return turns(() => this.#openWithin(turns, options));
  }

  async #openWithin(turns: Turns, { schema, rows, onFault, onUnsure }: OpenOptions): Promise<OpenDatabase> {
    const file = this.#file;
    let driver: FileDriver | undefined;
    const driverOptions: DurableSqliteOptions = {
      listener: {
        onFault: (error) => onFault(asFailure(error)),
        onDue: () => void turns(async () => driver?.file.tend()).catch(() => undefined),
        onUnsynced: onUnsure,
      },
      onDriver(opening) {
        driver = opening;
      },
    };
    const given = { driver: DurableSqliteDriver, dbName: file, driverOptions, extensions: [Migrator] };
    const orm = discovered.ormOf(schema, (options) => new MikroORM({ ...given, ...options }));
    requireWhole(file);
    // Read before SQLite opens the file: closing a descriptor of a file releases all locks of the process on it.
    const wasInUse = isMarkedInUse(file);
    try {
      await orm.connect();
      const em = orm.em.fork();
      const executed = await executedMigrations(em);
      const unknown = unknownMigration(executed, schema);
      if (unknown !== undefined) throw newerSchema(file, unknown);
      if (!isMigrated(executed, schema)) await orm.migrator.up();
      if (!(await rows.isDone(em))) await rows.run(em);
      // After a kill the file is already marked in use; on a full disk marking it again would fail.
      if (!wasInUse) await mark(driver, inUse);
      // From now on `LockRetry` retries, because SQLite's own wait would block the process.
      await driver?.file.run({ sql: 'pragma busy_timeout = 0', parameters: [] });
    } catch (error) {
      await closeCleanly(orm, file, driver);
      throw await asFailureOf(error, file);
    }
    if (driver === undefined) throw new Failure('INTERNAL', `${file} was opened without its driver`);
    return new OpenFile(orm, file, { driver, turns });
  }
}

/** The database of an open file. */
class OpenFile implements OpenDatabase {
  readonly #orm: MikroORM;
  readonly #file: string;
  readonly #driver: FileDriver;
  readonly #attempts: Turns;
  readonly #writes: WriteGroups;

  constructor(orm: MikroORM, file: string, { driver, turns }: { driver: FileDriver; turns: Turns }) {
    this.#orm = orm;
    this.#file = file;
    this.#driver = driver;
    this.#attempts = turns;
    this.#writes = new WriteGroups(turns, () => driver.file.write());
  }

  async read<T>(work: DatabaseWork<T>): Promise<T> {
    return within(this.#driver.file.read(), this.#inTransaction(work));
  }

  /**
   * Whatever the outcome, it may rest on commits that the disk does not have yet, so it is returned only once they are
   * stored. The next write begins before that.
   */
  async write<T>(work: DatabaseWork<T>, turn: WriteTurn): Promise<T> {
    this.#driver.file.requireSound();
    try {
      return await this.#writes.write(this.#inTransaction(work), turn);
    } finally {
      await this.#driver.file.settled();
    }
  }

  /** Gives work an entity manager in a transaction, bypassing the entity manager's own transaction handling. */
  #inTransaction<T>(work: DatabaseWork<T>): TransactionWork<T> {
    return (transaction) => {
      const em = this.#orm.em.fork();
      em.setTransactionContext(transaction);
      return work(em);
    };
  }

  failureOf(error: unknown): Promise<unknown> {
    return asFailureOf(error, this.#file);
  }

  kindOf(error: unknown): string | undefined {
    return sqliteCode(error).split('_')[1]?.toLowerCase();
  }

  readonly sharedTime = undefined;

  sizes(): DatabaseSizes {
    return { bytes: sizeOf(this.#file), walBytes: sizeOf(`${this.#file}-wal`) };
  }

  close(): Promise<void> {
    return this.#attempts(() => closeCleanly(this.#orm, this.#file, this.#driver));
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Records in the file whether it is complete without its log. */
async function mark(driver: FileDriver | undefined, state: typeof inUse | typeof atRest): Promise<void> {
  await driver?.file.run({ sql: `pragma user_version = ${state}`, parameters: [] });
  await driver?.file.checkpoint();
}

/** Closes the database so that the next start can check whether the file is complete, even if the disk is full. */
async function closeCleanly(orm: MikroORM, file: string, driver: FileDriver | undefined): Promise<void> {
  await mark(driver, atRest).catch(() => undefined);
  await orm.close();
  try {
    markWhole(file);
  } catch {
    // On a disk that cannot be written, the log remains as well, and the next start reads it.
  }
}

function newerSchema(file: string, migration: string): Failure {
  return new Failure(
    'NEWER_VERSION_REQUIRED',
    `${file} was made by a newer version of muster (it has ${migration}): run that version, or use another state folder`,
  );
}
