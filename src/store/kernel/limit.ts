import type { EntityManager } from '@mikro-orm/sql';
import type { RowSource } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The end of a statement that returns at most this many rows. */
export function limitTo(em: EntityManager, rows: number): RowSource {
  return dialectOf(em).limitTo(BigInt(rows));
}
