import { statSync } from 'node:fs';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/sqlite';
import { Failure } from '#contract/failure.ts';
import { DiscoveredEntities } from '#store/database/discovered-entities.ts';
import {
  type DatabaseSizes,
  type DatabaseWork,
  type Engine,
  type OpenDatabase,
  type OpenOptions,
  unknownMigration,
} from '#store/database/engine.ts';
import { oneAtATime } from '#store/database/turns.ts';
import { LockRetry } from './lock-retry.ts';
import { DurableSqliteDriver, type DurableSqliteOptions } from './sqlite-driver.ts';
import { asFailure, asFailureOf, sqliteCode } from './sqlite-fault.ts';
import type { TwoConnections } from './two-connections.ts';
import { atRest, inUse, isMarkedInUse, markWhole, requireWhole } from './whole-file.ts';

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
  async open({ schema, prepare, onFault }: OpenOptions): Promise<OpenDatabase> {
    const file = this.#file;
    let connections: TwoConnections | undefined;
    const driverOptions: DurableSqliteOptions = {
      onFault: (error) => onFault(asFailure(error)),
      onConnections(opened) {
        connections = opened;
      },
    };
    const given = { driver: DurableSqliteDriver, dbName: file, driverOptions, extensions: [Migrator] };
    const orm = discovered.ormOf(schema, (options) => new MikroORM({ ...given, ...options }));
    requireWhole(file);
    // Read before SQLite opens the file: closing any descriptor of a file releases all POSIX locks that the process
    // holds on it.
    const wasInUse = isMarkedInUse(file);
    try {
      await orm.connect();
      const unknown = await unknownMigration(orm, schema);
      if (unknown !== undefined) throw newerSchema(file, unknown);
      await orm.migrator.up();
      await prepare(orm.em.fork());
      // After a kill the file is already marked in use; on a full disk marking it again would fail.
      if (!wasInUse) await mark(orm, inUse);
      // From now on `LockRetry` retries, so SQLite itself waits only 20 ms.
      await orm.em.execute('pragma busy_timeout = 20');
    } catch (error) {
      await closeCleanly(orm, file);
      throw await asFailureOf(error, file);
    }
    if (connections === undefined) throw new Failure('INTERNAL', `${file} was opened without a connection`);
    return new OpenFile(orm, file, connections);
  }
}

/** The database of an open file. */
class OpenFile implements OpenDatabase {
  readonly #orm: MikroORM;
  readonly #file: string;
  readonly #connections: TwoConnections;
  // Queues attempts, not whole writes, so that a writability check can overtake a write that waits for the lock.
  readonly #attempts = oneAtATime();
  readonly #retry = new LockRetry();

  constructor(orm: MikroORM, file: string, connections: TwoConnections) {
    this.#orm = orm;
    this.#file = file;
    this.#connections = connections;
  }

  read<T>(work: DatabaseWork<T>): Promise<T> {
    return this.#within('read only', work);
  }

  write<T>(work: DatabaseWork<T>, patienceMs: number): Promise<T> {
    const writing = (begins: () => void): Promise<T> => this.#within('read write', work, begins);
    return this.#retry.run((begins) => this.#attempts(() => writing(begins)), patienceMs);
  }

  /** Runs work in one transaction, bypassing the entity manager's own transaction handling. */
  async #within<T>(access: 'read only' | 'read write', work: DatabaseWork<T>, begins?: () => void): Promise<T> {
    const transaction = await this.#connections.begin(access);
    begins?.();
    try {
      const em = this.#orm.em.fork();
      em.setTransactionContext(transaction);
      const done = await work(em);
      await transaction.commit();
      return done;
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
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
    return this.#attempts(() => closeCleanly(this.#orm, this.#file));
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Records in the file whether it is complete without its log. */
async function mark(orm: MikroORM, state: typeof inUse | typeof atRest): Promise<void> {
  await orm.em.execute(`pragma user_version = ${state}`);
  await orm.em.execute('pragma wal_checkpoint(truncate)');
}

/** Closes the database so that the next start can check whether the file is complete, even if the disk is full. */
async function closeCleanly(orm: MikroORM, file: string): Promise<void> {
  await mark(orm, atRest).catch(() => undefined);
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
