import { isOnPostgres } from './run-engine.ts';

/** Declares a test that only SQLite can be put to: it is counted as skipped on PostgreSQL. */
export const itOnSqlite: Mocha.TestFunction | Mocha.PendingTestFunction = isOnPostgres ? it.skip : it;
