import { rowBits } from '#store/kernel/log-places.ts';

/** Runs a query on PostgreSQL and gives its rows. */
type Query = <Row extends Readonly<Record<string, unknown>>>(sql: string) => Promise<readonly Row[]>;

/** What holds up the reading of the logs, which end at the oldest open transaction of the server. */
export interface LogDelay {
  /** How many facts are committed and not shown yet. */
  readonly facts: number;
  /** For how long the oldest of them has waited, in milliseconds. */
  readonly forMs: number;
  /** The server process whose transaction they wait for; undefined if it cannot be found, as of a prepared one. */
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

/** What holds up the logs of a database; undefined if nothing does, or if no registry has used it. */
export async function logDelayOf(query: Query): Promise<LogDelay | undefined> {
  const [used] = await query<{ isUsed: boolean }>(isUsed);
  if (used?.isUsed !== true) return undefined;
  const [row] = await query<{ facts: number; forMs: number; process: number | null }>(delay);
  if (row === undefined || row.facts === 0) return undefined;
  return { ...row, process: row.process ?? undefined };
}
