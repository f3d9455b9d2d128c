import { Failure } from '#contract/failure.ts';
import { nearest } from '#contract/parse/nearest.ts';
import { quoted } from '#contract/quoted.ts';

/** An instant at which a zone's clock changes. Offsets from UTC are in milliseconds. */
export interface Transition {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** A zone's wall clock. Instants are milliseconds since 1970. */
export interface Zone {
  readonly name: string;
  offsetAt(instant: number): number;
  /** The first transition after an instant and up to `until`. */
  transitionAfter(instant: number, until: number): Transition | undefined;
}

const minute = 60_000;
const day = 86_400_000;
/** A period and its transitions, which are determined together. */
interface Span {
  /** The offset at its start. */
  readonly offset: number;
  readonly transitions: readonly Transition[];
}

/** The length of a period whose transitions are determined together and cached, in milliseconds. */
const span = 128 * day;

/** The computer's own time zone. */
export function localZoneName(): string {
  const setting = process.env['TZ'];
  // Asking Node is slow. The zone only changes if this variable is set.
  if (local === undefined || local.setting !== setting) {
    local = { setting, name: new Intl.DateTimeFormat().resolvedOptions().timeZone };
  }
  return local.name;
}

let local: { readonly setting: string | undefined; readonly name: string } | undefined;

/**
 * Checks that a name is in the time zone database, under an old or new name. Blank means the computer's own zone.
 * @throws INVALID_ARGUMENT
 */
export function checkZone(name: string): void {
  if (name === '' || isZone(name)) return;
  const like = nearest(name, Intl.supportedValuesOf('timeZone'));
  throw new Failure(
    'INVALID_TIMEZONE',
    `timezone is ${quoted(name, 60)}, which is not in the timezone database` +
      `${like === undefined ? '' : ` (did you mean ${like}?)`}: write one such as Europe/Paris or UTC, or none for the computer's own`,
    { field: 'timezone' },
  );
}

/** The zone with a name. Blank means the computer's own. @throws INVALID_ARGUMENT */
export function zoneOf(name: string): Zone {
  const wanted = name || localZoneName();
  const known = zones.get(wanted);
  if (known !== undefined) return known;
  checkZone(name);
  const zone = openZone(wanted);
  zones.set(wanted, zone);
  return zone;
}

const zones = new Map<string, Zone>();

function isZone(name: string): boolean {
  // Offsets such as +01:00 are not zones.
  if (!/^[A-Za-z][A-Za-z0-9_/+-]{0,59}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

function openZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const read = (instant: number): number => {
    const [month = 0, date = 0, year = 0, hour = 0, min = 0, second = 0] = (
      format.format(instant).match(/\d+/g) ?? []
    ).map(Number);
    return Date.UTC(year, month - 1, date, hour, min, second) - Math.floor(instant / 1000) * 1000;
  };
  const spans = new Map<number, Span>();
  const spanOf = (index: number): Span => {
    const known = spans.get(index);
    if (known !== undefined) return known;
    const found = { offset: read(index * span), transitions: transitionsIn(read, index * span, (index + 1) * span) };
    spans.set(index, found);
    return found;
  };
  return {
    name,
    offsetAt(instant) {
      const { offset, transitions } = spanOf(Math.floor(instant / span));
      return transitions.findLast(({ at }) => at <= instant)?.after ?? offset;
    },
    transitionAfter(instant, until) {
      for (let index = Math.floor(instant / span); index * span <= until; index += 1) {
        const found = spanOf(index).transitions.find(({ at }) => at > instant);
        if (found !== undefined) return found.at <= until ? found : undefined;
      }
      return undefined;
    },
  };
}

/** The transitions after `from` and up to `to`. No zone changes its clock twice within a day. */
function transitionsIn(offsetAt: (instant: number) => number, from: number, to: number): Transition[] {
  const found: Transition[] = [];
  let before = offsetAt(from);
  for (let at = from + day; at <= to; at += day) {
    const after = offsetAt(at);
    if (after !== before) found.push({ at: changeWithin(offsetAt, at - day, at), before, after });
    before = after;
  }
  return found;
}

/**
 * The first instant with the offset of `late`, which differs from that of `early`. Clocks change at whole minutes.
 */
function changeWithin(offsetAt: (instant: number) => number, early: number, late: number): number {
  const before = offsetAt(early);
  let [low, high] = [early, late];
  while (high - low > minute) {
    const middle = low + Math.floor((high - low) / 2 / minute) * minute;
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
