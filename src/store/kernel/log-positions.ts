import type { EntityManager } from '@mikro-orm/sql';
import { dialectOf } from '#store/database/dialect-of.ts';

/** How many low bits of a position number the rows of one transaction. The bits above them are the transaction's id. */
export const rowBits = 20n;

/** The column of each log that holds the positions of its rows. */
const columns = {
  facts: { table: 'fact', column: 'seq' },
  moves: { table: 'transition', column: 'seq' },
  records: { table: 'agent', column: 'record_seq' },
} as const;

/** The logs that cursors have positions in: of facts, of machines' transitions, and of commits to agents. */
export type LogName = keyof typeof columns;

/** The offset that is added to a transaction's id, so that positions continue after those of a restored copy. */
const raised = `coalesce((select "raised" from "log_generation" order by "ordinal" desc limit 1), 0)`;
const ownTransaction = `select pg_current_xact_id()::text::bigint + ${raised} as "transaction"`;
const oldestOpen = `pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${raised}`;

/**
 * Assigns the positions of rows in the logs, and limits how far a log may be read. SQLite runs one write at a time, so
 * a table's sequence is in the order of the commits. PostgreSQL runs several at once, and a number that was assigned
 * first may be committed last: a reader that has passed it would never see its row. So a position there begins with the
 * id of its transaction, and logs are read only up to the oldest open transaction.
 */
export class LogPositions {
  readonly #em: EntityManager;
  /** Whether several processes write the logs at once. */
  readonly isShared: boolean;
  readonly #ends = new Map<LogName, bigint>();
  #next: Promise<bigint> | undefined;
  #isBehind = false;

  constructor(em: EntityManager) {
    this.#em = em;
    this.isShared = dialectOf(em).isShared;
  }

  /** Whether this read found rows that it may not return yet, because an older transaction is still open. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Reserves positions for rows of this transaction; returns the first, or undefined if the database assigns them. */
  async take(count: number): Promise<bigint | undefined> {
    if (!this.isShared) return undefined;
    const first = this.#next ?? this.#begin();
    const next = first.then((place) => place + BigInt(count));
    // The caller that awaits `first` gets its failure, so that of `next` is ignored.
    next.catch(() => undefined);
    this.#next = next;
    return first;
  }

  async #begin(): Promise<bigint> {
    const [{ transaction }] = await this.#em.execute<[{ transaction: bigint | number | string }]>(ownTransaction);
    return BigInt(transaction) << rowBits;
  }

  /** The position up to which a log can be read: no row will be added at or before it. Zero if the log is empty. */
  async end(log: LogName): Promise<bigint> {
    const known = this.#ends.get(log);
    if (known !== undefined) return known;
    const { table, column } = columns[log];
    const horizon = this.isShared ? oldestOpen : 'null';
    const [row] = await this.#em.execute<[{ newest: bigint | number | null; horizon: bigint | number | null }]>(
      `select max("${column}") as "newest", ${horizon} as "horizon" from "${table}"`,
    );
    const newest = BigInt(row.newest ?? 0);
    if (row.horizon === null) return newest;
    const settled = (BigInt(row.horizon) << rowBits) - 1n;
    if (newest > settled) this.#isBehind = true;
    const end = newest > settled ? settled : newest;
    this.#ends.set(log, end);
    return end;
  }

  /** Like `end`, for conditions: undefined if the whole log can be read. */
  async limit(log: LogName): Promise<{ readonly $lte: bigint } | undefined> {
    return this.isShared ? { $lte: await this.end(log) } : undefined;
  }
}
