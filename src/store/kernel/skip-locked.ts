import type { EntityManager } from '@mikro-orm/sql';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The end of a query that claims rows: it skips those that another transaction has locked. */
export function skipLocked(em: EntityManager): string {
  return dialectOf(em).skipLocked;
}
