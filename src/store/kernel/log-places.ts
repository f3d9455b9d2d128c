import type { EntityManager } from '@mikro-orm/sql';
import { dialectOf } from '#store/database/dialect-of.ts';

/** How many low bits of a place count the rows of one piece of work. Those above them are its transaction. */
export const rowBits = 20n;

/** The logs, each by where the places of its rows are. */
const columns = {
  facts: { table: 'fact', column: 'seq' },
  moves: { table: 'transition', column: 'seq' },
  records: { table: 'agent', column: 'record_seq' },
} as const;

/** The logs that cursors hold places in: of facts, of machines' transitions, and of commits to agents. */
export type LogName = keyof typeof columns;

/** What the database is added to a transaction's number, so that places go on where those of a restored copy ended. */
const raised = `coalesce((select "raised" from "log_generation" order by "ordinal" desc limit 1), 0)`;
const ownTransaction = `select pg_current_xact_id()::text::bigint + ${raised} as "transaction"`;
const oldestUnderWay = `pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${raised}`;

/**
 * The places of rows in the logs, as one piece of work gives them out and reads them. SQLite writes one piece of work
 * at a time, so the plain sequence of a table is in the order of the commits. On PostgreSQL several write at once, and
 * a number that was given out first may be committed last: whoever had read past it would never see it. So a place
 * there begins with the number of its transaction, and logs are read only up to the oldest transaction that is under
 * way.
 */
export class LogPlaces {
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

  /** Whether this piece of work saw rows that it must not give yet, since an older transaction is still under way. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** The first of so many places for rows of this piece of work; undefined if the database counts by itself. */
  async take(count: number): Promise<bigint | undefined> {
    if (!this.isShared) return undefined;
    const first = this.#next ?? this.#begin();
    this.#next = first.then((place) => place + BigInt(count));
    return first;
  }

  async #begin(): Promise<bigint> {
    const [{ transaction }] = await this.#em.execute<[{ transaction: bigint | number | string }]>(ownTransaction);
    return BigInt(transaction) << rowBits;
  }

  /** The place up to which a log can be read: nothing appears there or before it any more. Zero if it is empty. */
  async end(log: LogName): Promise<bigint> {
    const known = this.#ends.get(log);
    if (known !== undefined) return known;
    const { table, column } = columns[log];
    const horizon = this.isShared ? oldestUnderWay : 'null';
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

  /** As `end`, for conditions: undefined if all that is there can be read. */
  async limit(log: LogName): Promise<{ readonly $lte: bigint } | undefined> {
    return this.isShared ? { $lte: await this.end(log) } : undefined;
  }
}
