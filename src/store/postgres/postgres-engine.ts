import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, IsolationLevel, MikroORM } from '@mikro-orm/sql';
import { Failure } from '#contract/failure.ts';
import { clockSteps } from '#store/database/clock-steps.ts';
import { DiscoveredEntities } from '#store/database/discovered-entities.ts';
import type {
  DatabaseSizes,
  DatabaseWork,
  Engine,
  OpenDatabase,
  OpenOptions,
  SharedTime,
  WriteTurn,
} from '#store/database/engine.ts';
import { executedMigrations, isMigrated, unknownMigration } from '#store/database/executed-migrations.ts';
import { poolConfigsOf } from './connection-config.ts';
import { type DatabaseAddress, nameOfDatabase } from './database-address.ts';
import { migrateAlone, migrateWithin, whileNoneMigrates } from './migrate-alone.ts';
import type { PoolOptions } from './pooled-connections.ts';
import { ExactPostgresDriver, sessionOver } from './postgres-driver.ts';
import { asPostgresFailure, isContended, isDuplicate, kindOfFault } from './postgres-fault.ts';
import { RetryPause } from './retry-pause.ts';
import { configureSession } from './session-settings.ts';

/** How many times work is retried because of a duplicate row. A duplicate that remains then is a bug, and is thrown. */
const maxDuplicates = 3;

/** The snapshot is older than the clock reading after it, so the sum includes no step that the time does not. */
const sharedTime = `
  select (select "value" from "setting" where "name" = '${clockSteps}') as "steps",
    (extract(epoch from clock_timestamp()) * 1000)::float8 as "now"`;
const sizes = `select pg_database_size(current_database()) as "bytes"`;

/** A row if there is a table of migrations. To read one that is not there would abort a transaction. */
const migrationsMade = `select 1 as "made" where to_regclass('mikro_orm_migrations') is not null`;

const discovered = new DiscoveredEntities();

/** PostgreSQL, which any number of registries share. */
export class PostgresEngine implements Engine {
  readonly #address: DatabaseAddress;
  readonly #chance: () => number;

  /** @param chance returns random numbers from 0 to 1, so that conflicting transactions retry at different times */
  constructor(address: DatabaseAddress, chance: () => number) {
    this.#address = address;
    this.#chance = chance;
  }

  /**
   * Connects, and migrates the tables while no other registry does.
   * @throws DATABASE_UNAVAILABLE when no server answers, DATABASE_UNSUITABLE when muster cannot use the database,
   *   NEWER_VERSION_REQUIRED when a newer version of muster made the tables
   */
  async open({ schema, rows }: OpenOptions): Promise<OpenDatabase> {
    const name = nameOfDatabase(this.#address);
    const driverOptions: PoolOptions = {
      configs: poolConfigsOf(this.#address),
      prepare: (client) => configureSession(client, name),
    };
    const given = {
      driver: ExactPostgresDriver,
      dbName: this.#address.database,
      driverOptions,
      extensions: [Migrator],
    };
    const orm = discovered.ormOf(schema, (options) => new MikroORM({ ...given, ...options }));
    try {
      await orm.connect();
      const isReady = (em: EntityManager) => isCurrent(em, name, { schema, rows });
      // Most starts find nothing to migrate, and wait for no other registry.
      if ((await whileNoneMigrates(orm, isReady)) !== true)
        await migrateAlone(orm, async () => {
          if (await isReady(orm.em.fork())) return;
          await migrateWithin(orm, (em) => orm.migrator.up({ transaction: em.getTransactionContext() }));
          if (!(await rows.isDone(orm.em.fork()))) await migrateWithin(orm, (em) => rows.run(em));
        });
    } catch (error) {
      await orm.close(true);
      throw asPostgresFailure(error, name);
    }
    return new SharedDatabase(orm, name, this.#chance);
  }
}

/** A database that this process is connected to. */
class SharedDatabase implements OpenDatabase {
  readonly #orm: MikroORM;
  readonly #name: string;
  readonly #chance: () => number;
  #bytes = 0;

  constructor(orm: MikroORM, name: string, chance: () => number) {
    this.#orm = orm;
    this.#name = name;
    this.#chance = chance;
  }

  read<T>(work: DatabaseWork<T>): Promise<T> {
    return this.#within({ readOnly: true, isolationLevel: IsolationLevel.REPEATABLE_READ }, work);
  }

  /** Runs work in one transaction, bypassing the entity manager's own transaction handling. */
  #within<T>(
    options: { readonly readOnly?: true; readonly isolationLevel: IsolationLevel },
    work: DatabaseWork<T>,
  ): Promise<T> {
    const em = this.#orm.em.fork();
    return em.getConnection().transactional((transaction) => {
      em.setTransactionContext(sessionOver(transaction));
      return work(em);
    }, options);
  }

  /** Runs work in a serializable transaction, and retries it if it conflicts with another one. */
  async write<T>(work: DatabaseWork<T>, { patienceMs }: WriteTurn): Promise<T> {
    const pause = new RetryPause(patienceMs, this.#chance);
    for (let duplicates = 0; ; ) {
      try {
        return await this.#within({ isolationLevel: IsolationLevel.SERIALIZABLE }, work);
      } catch (error) {
        if (isDuplicate(error)) duplicates += 1;
        const mayHelp = isContended(error) || (isDuplicate(error) && duplicates <= maxDuplicates);
        if (!mayHelp || !(await pause.next())) throw error;
      }
    }
  }

  readonly sharedTime = async (): Promise<SharedTime> => {
    const [row] = await this.#orm.em.fork().execute<{ now: number; steps: string | null }[]>(sharedTime);
    return { now: Number(row?.now), steps: Number(row?.steps ?? 0) };
  };

  async failureOf(error: unknown): Promise<unknown> {
    return asPostgresFailure(error, this.#name);
  }

  kindOf(error: unknown): string | undefined {
    return kindOfFault(error);
  }

  /** The size as of the last call, 0 at first, because a metric should not wait for a query. */
  sizes(): DatabaseSizes {
    void this.#orm.em
      .fork()
      .execute<{ bytes: number }[]>(sizes)
      .then(
        ([row]) => {
          this.#bytes = row?.bytes ?? 0;
        },
        () => undefined,
      );
    return { bytes: this.#bytes, walBytes: 0 };
  }

  close(): Promise<void> {
    return this.#orm.close(true);
  }
}

/**
 * Whether a database is as this version needs it.
 * @throws NEWER_VERSION_REQUIRED when a newer version of muster made the tables
 */
async function isCurrent(
  em: EntityManager,
  database: string,
  { schema, rows }: Pick<OpenOptions, 'schema' | 'rows'>,
): Promise<boolean> {
  const [made] = await em.execute<unknown[]>(migrationsMade);
  if (made === undefined) return false;
  const executed = await executedMigrations(em);
  const unknown = unknownMigration(executed, schema);
  if (unknown !== undefined) throw newerSchema(database, unknown);
  return isMigrated(executed, schema) && rows.isDone(em);
}

function newerSchema(database: string, migration: string): Failure {
  return new Failure(
    'NEWER_VERSION_REQUIRED',
    `${database} was made by a newer version of muster (it has ${migration}): run that version, or name ` +
      'another database in MUSTER_DATABASE_URL',
  );
}
