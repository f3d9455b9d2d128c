import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import { clockChanges, oracleExpressions, walk, wallClock, wallTable } from '#test/world/cron-oracle.ts';
import { readCron } from '#world/cron/expression.ts';
import { occurrencesAfter } from '#world/cron/occurrences.ts';
import { zoneOf } from '#world/cron/zone.ts';
import type { Homes } from './homes.ts';
import { report, say } from './report.ts';

const hour = 3_600_000;
const day = 24 * hour;
const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1)];

/** Those that name few enough minutes to be followed through two whole years. */
const sparse = new Set(['30 2 * * SUN', '0 0 L * *', '0 23 * * SATL', '30 2 * * *', '30 23 * * *', '0 */2 * * *']);

/** Gives the firings of an expression in a zone after one instant and up to another. */
type Way = (expression: string, zone: string, after: number, until: number) => Iterable<number>;

const ways: Readonly<Record<string, Way>> = {
  *muster(expression, zone, after, until) {
    for (const instant of occurrencesAfter(readCron(expression), zoneOf(zone), after)) {
      if (instant > until) return;
      yield instant;
    }
  },
  *'cron-parser alone'(expression, zone, after, until) {
    const parsed = CronExpressionParser.parse(expression.replace('SATL', '6L'), {
      tz: zone,
      currentDate: new Date(after),
    });
    for (let at = nextOf(parsed); at <= until; at = nextOf(parsed)) yield at;
  },
  *'croner alone'(expression, zone, after, until) {
    const job = new Cron(expression.replace('SATL', '6#L'), { timezone: zone, paused: true });
    for (let at = job.nextRun(new Date(after)); at !== null && at.getTime() <= until; at = job.nextRun(at))
      yield at.getTime();
  },
};

/** It gives up in some zones, where a day is not as long as it takes days to be: then nothing comes any more. */
function nextOf(parsed: ReturnType<typeof CronExpressionParser.parse>): number {
  try {
    return parsed.next().getTime();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** How often a way agreed with the oracle, and how it did not. */
interface Tally {
  expected: number;
  missed: number;
  doubled: number;
}

/**
 * Holds the time rule to an oracle that walks minute by minute through two years in every zone that Intl knows, and two
 * libraries to the same oracle around every change of a clock. A number among the arguments takes every n-th zone alone.
 */
export async function benchSchedulesOracle(_: Homes, [every = 1]: readonly number[]): Promise<void> {
  const zones = Intl.supportedValuesOf('timeZone').filter((_zone, index) => index % every === 0);
  const expressions = Object.entries(oracleExpressions).flatMap(([kind, list]) =>
    list.map((text) => ({ text, isFixed: kind === 'fixed', isNamed: wallTable(text, from - 3 * day, to + 3 * day) })),
  );
  const whole: Tally = { expected: 0, missed: 0, doubled: 0 };
  const near = Object.fromEntries(Object.keys(ways).map((name) => [name, { expected: 0, missed: 0, doubled: 0 }]));
  let transitions = 0;
  for (const zone of zones) {
    const changes = clockChanges(zone, from, to);
    const wallAt = wallClock(zone);
    transitions += changes.length;
    for (const { text, isFixed, isNamed } of expressions) {
      if (sparse.has(text)) {
        const walked = walk({ from, to, offset: wallAt(from) - from, changes }, isNamed, isFixed);
        compare(whole, walked, [...(ways['muster']?.(text, zone, from, to) ?? [])]);
      }
      for (const { at } of changes) {
        const [start, end] = [at - 26 * hour, at + 26 * hour];
        const walked = walk({ from: start, to: end, offset: wallAt(start) - start, changes }, isNamed, isFixed);
        for (const [name, way] of Object.entries(ways)) {
          compare(near[name] as Tally, walked, [...way(text, zone, start, end)]);
        }
      }
    }
  }
  say(`${zones.length} zones, ${transitions} changes of clocks in 2026 and 2027, ${expressions.length} expressions`);
  const row = (name: string, { expected, missed, doubled }: Tally) => [name, `${expected}`, `${missed}`, `${doubled}`];
  report(
    'Firings against the oracle',
    'missed: the oracle fires and it does not; doubled: it fires and the oracle does not',
    ['WAY', 'FIRINGS', 'MISSED', 'DOUBLED'],
    [
      row(`muster, ${sparse.size} expressions through two years`, whole),
      ...Object.entries(near).map(([name, tally]) => row(`${name}, all within 26 h of a change`, tally)),
    ],
  );
  const wrong = [whole, near['muster']].some((tally) => tally === undefined || tally.missed + tally.doubled > 0);
  if (wrong) throw new Error('the time rule and the oracle disagree');
}

function compare(tally: Tally, expected: readonly number[], fired: readonly number[]): void {
  const wanted = new Set(expected);
  const got = new Set(fired);
  tally.expected += wanted.size;
  tally.missed += expected.filter((at) => !got.has(at)).length;
  tally.doubled += fired.length - got.size + [...got].filter((at) => !wanted.has(at)).length;
}
