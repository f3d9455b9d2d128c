import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import { oracleExpressions, walk, wallTable } from '#test/world/cron/cron-oracle.ts';
import { changesByQuarter, disagreement, type ZoneGroup, zoneGroups } from '#test/world/cron/zone-clocks.ts';
import { readCron } from '#world/cron/expression.ts';
import { occurrencesAfter } from '#world/cron/occurrences.ts';
import { zoneOf } from '#world/cron/zone.ts';
import type { Homes } from '../stage/homes.ts';
import { report, say } from '../stage/report.ts';

const hour = 3_600_000;
const day = 24 * hour;
const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1)];

interface Expression {
  readonly text: string;
  readonly isFixed: boolean;
  readonly isNamed: (wall: number) => boolean;
}

/** Yields the firings of an expression in a zone after one instant and up to another. */
type Way = (expression: string, zone: string, after: number, until: number) => Iterable<number>;

const ways: Readonly<Record<string, Way>> = {
  *muster(expression, zone, after, until) {
    for (const instant of occurrencesAfter(readCron(expression), zoneOf(zone), after)) {
      if (instant > until) return;
      yield instant;
    }
  },
  *'only cron-parser'(expression, zone, after, until) {
    const parsed = CronExpressionParser.parse(expression.replace('SATL', '6L'), {
      tz: zone,
      currentDate: new Date(after),
    });
    let last = after;
    for (let at = nextOf(parsed); at <= until; at = nextOf(parsed)) {
      yield at;
      // Near some clock changes it returns the same time for ever: all later firings count as missed.
      if (at <= last) return;
      last = at;
    }
  },
  *'only croner'(expression, zone, after, until) {
    const job = new Cron(expression.replace('SATL', '6#L'), { timezone: zone, paused: true });
    for (let at = job.nextRun(new Date(after)); at !== null && at.getTime() <= until; at = job.nextRun(at))
      yield at.getTime();
  },
};

/** In some zones it gives up on days that are not 24 hours long, and then returns nothing more. */
function nextOf(parsed: ReturnType<typeof CronExpressionParser.parse>): number {
  try {
    return parsed.next().getTime();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** How often an implementation agreed with the oracle, and how it differed. */
interface Tally {
  expected: number;
  missed: number;
  doubled: number;
}

/**
 * Compares the time rule with an oracle that walks minute by minute through two years in every zone of Intl, and two
 * libraries with the same oracle around every clock change. Zones whose clocks agree at each quarter of an hour are
 * checked once and counted separately. A number in the arguments selects every n-th of those groups.
 */
export async function benchSchedulesOracle(_: Homes, [every = 1]: readonly number[]): Promise<void> {
  // Days beyond both ends are compared too, because clock changes there affect the times at the ends.
  const groups = zoneGroups(changesByQuarter, from - 3 * day, to + 3 * day);
  for (const group of groups) {
    const odd = disagreement(group, from - 3 * day, to + 3 * day);
    if (odd !== undefined) throw new Error(`the product reads another clock than Intl shows: ${odd}`);
  }
  const taken = groups.filter((_group, index) => index % every === 0);
  const expressions = Object.entries(oracleExpressions).flatMap(([kind, list]) =>
    list.map((text) => ({ text, isFixed: kind === 'fixed', isNamed: wallTable(text, from - 6 * day, to + 6 * day) })),
  );
  const whole: Tally = { expected: 0, missed: 0, doubled: 0 };
  const near = Object.fromEntries(Object.keys(ways).map((name) => [name, { expected: 0, missed: 0, doubled: 0 }]));
  for (const group of taken) {
    for (const expression of expressions) {
      compareWhole(whole, group, expression);
      compareNear(near, group, expression);
    }
  }
  const [zones, changes] = [
    taken.reduce((sum, group) => sum + group.zones.length, 0),
    taken.reduce((sum, group) => sum + changesOf(group).length * group.zones.length, 0),
  ];
  say(`${zones} zones in ${taken.length} groups with the same clock at each quarter of an hour of 2026 and 2027`);
  say(`${changes} clock changes, ${expressions.length} expressions`);
  const row = (name: string, { expected, missed, doubled }: Tally) => [name, `${expected}`, `${missed}`, `${doubled}`];
  report(
    'Firings against the oracle',
    'missed: the oracle fires and it does not; doubled: it fires and the oracle does not',
    ['WAY', 'FIRINGS', 'MISSED', 'DOUBLED'],
    [
      row('muster, through two years', whole),
      ...Object.entries(near).map(([name, tally]) => row(`${name}, within 26 h of a change`, tally)),
    ],
  );
  const wrong = [whole, near['muster']].some((tally) => tally === undefined || tally.missed + tally.doubled > 0);
  if (wrong) throw new Error('the time rule and the oracle disagree');
}

function changesOf({ changes }: ZoneGroup): ZoneGroup['changes'] {
  return changes.filter(({ at }) => at > from && at <= to);
}

function compareWhole(
  tally: Tally,
  { zones, offset, changes }: ZoneGroup,
  { text, isFixed, isNamed }: Expression,
): void {
  const start = from - 3 * day;
  const walked = walk({ from: start, to, offset, changes }, isNamed, isFixed).filter((at) => at > from);
  compare(tally, walked, [...(ways['muster']?.(text, zones[0] ?? '', from, to) ?? [])], zones.length);
}

function compareNear(
  tallies: Readonly<Record<string, Tally>>,
  group: ZoneGroup,
  { text, isFixed, isNamed }: Expression,
): void {
  const { zones, changes } = group;
  for (const { at } of changesOf(group)) {
    const [start, end] = [at - 26 * hour, at + 26 * hour];
    const offset = changes.findLast((change) => change.at <= start)?.offset ?? group.offset;
    const walked = walk({ from: start, to: end, offset, changes }, isNamed, isFixed);
    for (const [name, way] of Object.entries(ways)) {
      compare(tallies[name] as Tally, walked, [...way(text, zones[0] ?? '', start, end)], zones.length);
    }
  }
}

function compare(tally: Tally, expected: readonly number[], fired: readonly number[], zones: number): void {
  const wanted = new Set(expected);
  const got = new Set(fired);
  tally.expected += zones * wanted.size;
  tally.missed += zones * expected.filter((at) => !got.has(at)).length;
  tally.doubled += zones * (fired.length - got.size + [...got].filter((at) => !wanted.has(at)).length);
}
