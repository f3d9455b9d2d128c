import type { EntityManager } from '@mikro-orm/sql';
import { dialectOf } from '#store/database/dialect-of.ts';

/** What a query ends with whose rows are claimed: those that another piece of work is claiming are passed over. */
export function claiming(em: EntityManager): string {
  return dialectOf(em).claiming;
}
