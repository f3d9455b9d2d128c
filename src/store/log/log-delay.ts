import { rowBits } from '#store/kernel/log-positions.ts';

/** Runs a query on PostgreSQL and returns its rows. */
type Query = <Row extends Readonly<Record<string, unknown>>>(sql: string) => Promise<readonly Row[]>;

/** A delay of reading the logs, which are read only up to the server's oldest open transaction. */
export interface LogDelay {
  /** How many facts are committed but not readable yet. */
  readonly facts: number;
  /** For how long the oldest of them has waited, in milliseconds. */
  readonly forMs: number;
  /** The server process whose transaction delays them; undefined if unknown, as for a prepared transaction. */
  readonly process: number | undefined;
}

const isUsed = `select to_regclass('fact') is not null as "isUsed"`;
const delay = `with horizon as (
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as "oldest",
      coalesce((select "raised" from "log_generation" order by "ordinal" desc limit 1), 0) as "raised"
  )
  select count(*)::int as "facts",
    (extract(epoch from clock_timestamp()) * 1000 - min("at"))::float8 as "forMs",
    (select "pid" from pg_locks, horizon where "locktype" = 'transactionid' and "granted"
      and "transactionid"::text::bigint = "oldest" & 4294967295 limit 1) as "process"
  from "fact", horizon where "seq" >= ("oldest" + "raised") << ${rowBits}`;

/** The delay of a database's logs; undefined if there is none, or no registry has used the database. */
export async function logDelayOf(query: Query): Promise<LogDelay | undefined> {
  const [used] = await query<{ isUsed: boolean }>(isUsed);
  if (used?.isUsed !== true) return undefined;
  const [row] = await query<{ facts: number; forMs: number; process: number | null }>(delay);
  if (row === undefined || row.facts === 0) return undefined;
  return { ...row, process: row.process ?? undefined };
}
