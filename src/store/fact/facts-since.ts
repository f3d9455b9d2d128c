import type { EntityManager } from '@mikro-orm/sql';

/** How many facts of each kind there are, by subject. */
export type FactCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

interface Place {
  readonly seq: bigint | number;
  readonly at: bigint | number | string;
}

/**
 * The position in the log before the facts of a time on, in milliseconds since 1970, found by halving: times have no
 * index. If the clock was set back, it is one of the places where the time begins.
 */
export async function positionBefore(em: EntityManager, time: number, end: bigint): Promise<bigint> {
  let [low, high] = [0n, end];
  while (low < high) {
    const middle = (low + high) / 2n;
    const found = await em.execute<Place[]>(
      'select "seq", "at" from "fact" where "seq" > ? and "seq" <= ? order by "seq" limit 1',
      [String(middle), String(high)],
    );
    const [next] = found;
    if (next === undefined || Number(next.at) >= time) high = middle;
    else low = BigInt(next.seq);
  }
  return low;
}

interface Range {
  readonly after: bigint;
  readonly upTo: bigint;
}

/**
 * Counts the questions of agents between two positions that no rule answered: those that a rule's answer does not follow,
 * or one after which the agent still asked the same. Waits without a question do not count.
 */
export async function countUnanswered(
  em: EntityManager,
  range: Range,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (agentIds.length === 0) return new Map();
  const rows = await em.execute<{ subject: string; count: bigint | number | string }[]>(
    `select "subject", count(*) as "count" from (
      select "subject_id" as "subject", "kind", lead(case when "kind" = 'agent.waits'
        or cast("detail" as text) like '%"stillAsks":%' then 'open' else 'answered' end)
        over (partition by "subject_id" order by "seq") as "next" from "fact"
        where "subject_id" in (${places(agentIds)}) and "seq" > ? and "seq" <= ?
          and "kind" in ('agent.waits', 'agent.approved') and cast("detail" as text) not like '%"noQuestion":%'
      ) as "questions" where "kind" = 'agent.waits' and ("next" is null or "next" = 'open') group by "subject"`,
    [...agentIds, String(range.after), String(range.upTo)],
  );
  return new Map(rows.map(({ subject, count }) => [subject, Number(count)]));
}

function places(all: readonly string[]): string {
  return all.map(() => '?').join(', ');
}

/** Counts the facts of some kinds about subjects between two positions. */
export async function countFacts(
  em: EntityManager,
  range: Range,
  subjectIds: readonly string[],
  kinds: readonly string[],
): Promise<FactCounts> {
  const counts = new Map<string, Map<string, number>>();
  if (subjectIds.length === 0) return counts;
  const rows = await em.execute<{ subject: string; kind: string; count: bigint | number | string }[]>(
    `select "subject_id" as "subject", "kind", count(*) as "count" from "fact"
      where "subject_id" in (${places(subjectIds)}) and "seq" > ? and "seq" <= ? and "kind" in (${places(kinds)})
      group by "subject_id", "kind"`,
    [...subjectIds, String(range.after), String(range.upTo), ...kinds],
  );
  for (const { subject, kind, count } of rows) {
    const of = counts.get(subject) ?? new Map<string, number>();
    counts.set(subject, of.set(kind, Number(count)));
  }
  return counts;
}
