import { type EntityManager, IsolationLevel, type MikroORM } from '@mikro-orm/sql';

/**
 * The advisory lock that every registry takes to migrate: an arbitrary number that nothing else in the database is
 * likely to use.
 */
const migrationLock = 7_433_000_001n;

/** Lets a transaction take its time: on a loaded machine and with large tables, longer than one of a running registry may. */
const takeTime = `select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`;

/** Runs migrations while no other registry does so on the same database: several may start at once. */
export async function migrateAlone(orm: MikroORM, work: () => Promise<void>): Promise<void> {
  const em = orm.em.fork();
  await em.transactional(async (holding) => {
    await holding.execute('set local lock_timeout = 0');
    await holding.execute(takeTime);
    await holding.execute('select pg_advisory_xact_lock(?)', [migrationLock]);
    await work();
  });
}

/** Runs a part of the migrations in one transaction. */
export async function migrateWithin(orm: MikroORM, work: (em: EntityManager) => Promise<unknown>): Promise<void> {
  await orm.em.fork().transactional(async (em) => {
    await em.execute(takeTime);
    await work(em);
  });
}

/**
 * How long a start may pause between its reads, by which it only holds back migrations: on a loaded machine, longer than
 * a transaction of a running registry may.
 */
const pause = '30s';

/**
 * Runs reads while no registry migrates, and holds back those that would; undefined if one does so already. Each statement sees
 * what was committed before it, so all of them see what an earlier migration has left. None may fail: the pause would be as
 * before.
 */
export function whileNoneMigrates<T>(orm: MikroORM, reads: (em: EntityManager) => Promise<T>): Promise<T | undefined> {
  return orm.em.fork().transactional(
    async (em) => {
      const lock = `select pg_try_advisory_xact_lock_shared(?) as "granted",
        set_config('idle_in_transaction_session_timeout', '${pause}', true)`;
      const [answer] = await em.execute<{ granted: boolean }[]>(lock, [migrationLock]);
      return answer?.granted === true ? reads(em) : undefined;
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED, readOnly: true },
  );
}
