import { decideMissed, type MissedPolicy, type OccurrenceDecision } from '#machines/schedule/missed.ts';
import type { StoredSchedule } from '#store/schedule/schedule-entity.ts';
import { type CronExpression, readCron } from '#world/cron/expression.ts';
import { occurrencesAfter } from '#world/cron/occurrences.ts';
import { zoneOf } from '#world/cron/zone.ts';

/** How many occurrences get a row each. */
const maxRecorded = 1_000;
const day = 86_400_000;
const expressions = new Map<string, CronExpression>();

/** The columns that determine a schedule's occurrences. */
export type Timing = Pick<StoredSchedule, 'cron' | 'timezone'>;

/** The first occurrence after a time; undefined if there is none. Times are milliseconds since 1970. */
export function nextOccurrence(timing: Timing, after: number): number | undefined {
  for (const at of occurrences(timing, after)) return at;
  return undefined;
}

/** The occurrences from one time up to another, at most `limit`, and whether there are more. */
export function occurrencesWithin(
  timing: Timing,
  { after, until, limit }: { readonly after: number; readonly until: number; readonly limit: number },
): { readonly times: readonly number[]; readonly more: boolean } {
  const times: number[] = [];
  for (const at of occurrences(timing, after)) {
    if (at > until) break;
    if (times.length === limit) return { times, more: true };
    times.push(at);
  }
  return { times, more: false };
}

function occurrences({ cron, timezone }: Timing, after: number): Iterable<number> {
  const known = expressions.get(cron) ?? readCron(cron);
  if (expressions.size > 10_000) expressions.clear();
  expressions.set(cron, known);
  return occurrencesAfter(known, zoneOf(timezone), after);
}

/** The decisions about a schedule's due occurrences. */
interface OccurrenceDecisions {
  readonly decisions: readonly OccurrenceDecision[];
  /** Up to which time occurrences are decided. The next call decides the rest. */
  readonly upTo: number;
  /** The first occurrence after that; undefined if there is none. */
  readonly next: number | undefined;
}

type DueSchedule = Timing & Pick<StoredSchedule, 'decidedUpTo' | 'catchUp'> & { readonly missed: MissedPolicy };

/** Decides every undecided occurrence up to now. If more than a thousand of them do not run, they share one row. */
export function decideOccurrences(schedule: DueSchedule, now: number): OccurrenceDecisions {
  const { decidedUpTo, missed, catchUp } = schedule;
  const found: number[] = [];
  let next: number | undefined;
  for (const at of occurrences(schedule, decidedUpTo)) {
    if (at > now) next = at;
    if (at > now || found.length > maxRecorded) break;
    found.push(at);
  }
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return { decisions: [], upTo: now, next };
  if (found.length <= maxRecorded) {
    return { decisions: decideMissed({ occurrences: found, latest: last, now }, { missed, catchUp }), upTo: now, next };
  }
  const decided = decideMany(schedule, found, now);
  return { ...decided, next: nextOccurrence(schedule, decided.upTo) };
}

/** Decides occurrences that are too many for a row each. */
function decideMany(schedule: DueSchedule, found: readonly number[], now: number): Omit<OccurrenceDecisions, 'next'> {
  const { missed, catchUp } = schedule;
  const [first = now, last = now] = [found[0], found.at(-1)];
  if (missed === 'run-all') return decideChunk(found, now, catchUp);
  const latest = latestUpTo(schedule, now) ?? last;
  const decisions = decideMissed({ occurrences: [latest], latest, now }, { missed, catchUp });
  return { decisions: [summary(first, latest), ...decisions], upTo: now };
}

function decideChunk(found: readonly number[], now: number, catchUp: number): Omit<OccurrenceDecisions, 'next'> {
  const [first = now] = found;
  const edge = now - catchUp;
  if (first < edge) return { decisions: [summary(first, edge)], upTo: edge - 1 };
  const chunk = found.slice(0, maxRecorded);
  const upTo = chunk.at(-1) ?? now;
  return { decisions: decideMissed({ occurrences: chunk, latest: upTo, now }, { missed: 'run-all', catchUp }), upTo };
}

function summary(first: number, before: number): OccurrenceDecision {
  const [from, to] = [new Date(first).toISOString(), new Date(before).toISOString()];
  return {
    at: first,
    reason: `missed: more than ${maxRecorded} occurrences from ${from} up to ${to}, in one row`,
  };
}

/** The last occurrence up to a time. Searches longer and longer intervals before it. */
function latestUpTo(timing: Timing, now: number): number | undefined {
  for (const length of [day / 24, day, 31 * day, 366 * day, 9 * 366 * day]) {
    let latest: number | undefined;
    for (const at of occurrences(timing, now - length)) {
      if (at > now) break;
      latest = at;
    }
    if (latest !== undefined) return latest;
  }
  return undefined;
}
