import { BasePostgreSqlPlatform, type Platform } from '@mikro-orm/sql';
import type { Dialect } from './dialect.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

/** The dialect of the database that an entity manager, or another user of a platform, works on. */
export function dialectOf(database: { getPlatform(): Platform }): Dialect {
  return database.getPlatform() instanceof BasePostgreSqlPlatform ? postgresDialect : sqliteDialect;
}
