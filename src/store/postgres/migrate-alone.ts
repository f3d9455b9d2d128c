import type { MikroORM } from '@mikro-orm/sql';

/**
 * The advisory lock that every registry takes to migrate: an arbitrary number that nothing else in the database is
 * likely to use.
 */
const migrationLock = 7_433_000_001n;

/** Runs migrations while no other registry does so on the same database: several may start at once. */
export async function migrateAlone(orm: MikroORM, work: () => Promise<void>): Promise<void> {
  const em = orm.em.fork();
  await em.transactional(async (holding) => {
    await holding.execute('set local lock_timeout = 0');
    await holding.execute('set local statement_timeout = 0');
    await holding.execute('set local idle_in_transaction_session_timeout = 0');
    await holding.execute('select pg_advisory_xact_lock(?)', [migrationLock]);
    await work();
  });
}
