import { type Day, dayAt, dayBefore, instantOf, isZone, weekdayOf } from '#contract/pane/zoned-day.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** A time of day that has passed by less than this is the time that was meant, and not that of the next day. */
const justPassedMs = 60 * minute;
/** Limits end within this time: a date that is further away is one of the past. */
const maxAheadMs = 200 * day;
/** The latest time that is read, in milliseconds since 1970: dates have four digits for the year. */
const latest = 253_402_214_400_000;

/** The zones by abbreviation, as hours from UTC. */
const abbreviations: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  BST: 1,
  WEST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  IST: 5.5,
  JST: 9,
  AEST: 10,
  AEDT: 11,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

const units: readonly (readonly [RegExp, number])[] = [
  [/(\d+(?:\.\d+)?) ?w(?:eeks?)?\b/i, 7 * day],
  [/(\d+(?:\.\d+)?) ?d(?:ays?)?(?![a-z])/i, day],
  [/(\d+(?:\.\d+)?) ?h(?:ours?|rs?)?(?![a-z])/i, hour],
  [/(\d+(?:\.\d+)?) ?m(?:in(?:ute)?s?)?(?![a-z])/i, minute],
  [/(\d+(?:\.\d+)?) ?s(?:ec(?:ond)?s?)?(?![a-z])/i, second],
];
const span =
  /^(?:(?:in|after|about|~|and|,)\s*|\d+(?:\.\d+)? ?(?:w(?:eeks?)?|d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])[ ,]*)+$/i;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const clockTime = /(?<![\d:-])(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*([ap])\.?m\b\.?|(?<![\d:-])(\d{1,2}):(\d{2})(?!\d)/i;
const isoDay = /\b(\d{4})-(\d{2})-(\d{2})/;
const monthDay = /\b([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?\b(?!:)(?:,? (\d{4})\b)?/i;
const dayMonth = /\b(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3})[a-z]*\b\.?(?:,? (\d{4})\b)?/i;

/**
 * When a limit ends, in milliseconds since 1970, by the words of a CLI such as `3pm (Europe/Berlin)`, `2h 15m` or
 * `Dec 1`; undefined if they name no time. `zone` is the time zone of the CLI, which counts unless the words name one.
 */
export function resetTimeOf(words: string, now: number, zone: string): number | undefined {
  const text = words.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  const time = Math.round((text === '' ? undefined : timeOfText(text, now, zone)) ?? -1);
  return time >= 0 && time <= latest ? time : undefined;
}

function timeOfText(text: string, now: number, zone: string): number | undefined {
  if (span.test(text)) return now + spanOf(text);
  const epoch = /^\d{10}(?:\d{3})?$/.exec(text)?.[0];
  if (epoch !== undefined) return epoch.length === 10 ? Number(epoch) * second : Number(epoch);
  const where = zoneIn(text) ?? zone;
  const time = timeIn(text);
  const named = dayIn(text, now, where);
  if (named === undefined && time === undefined) return undefined;
  return named === undefined ? nextAt(time ?? midnight, now, where) : onDay(named, time ?? midnight, now, where);
}

interface TimeOfDay {
  readonly hours: number;
  readonly minutes: number;
}

const midnight: TimeOfDay = { hours: 0, minutes: 0 };

function spanOf(text: string): number {
  return units.reduce((sum, [unit, ms]) => sum + Number(unit.exec(text)?.[1] ?? 0) * ms, 0);
}

/** The zone that the words name: an IANA name, an abbreviation, or a distance from UTC. */
function zoneIn(text: string): string | undefined {
  const iana = /\b([A-Z][A-Za-z_]+\/[A-Za-z_+-]+(?:\/[A-Za-z_]+)?)\b/.exec(text)?.[1];
  if (iana !== undefined && isZone(iana)) return iana;
  const far = /\b(?:UTC|GMT) ?([+-])(\d{1,2})(?::?(\d{2}))?\b/.exec(text) ?? /\d([+-])(\d{2}):?(\d{2})\b/.exec(text);
  const distance = far === null ? '' : `${far[1]}${(far[2] ?? '').padStart(2, '0')}:${far[3] ?? '00'}`;
  if (distance !== '') return isZone(distance) ? distance : undefined;
  const short = text.match(/\b[A-Z]{1,4}\b/g)?.find((word) => Object.hasOwn(abbreviations, word));
  const hours = /\d\dZ$/.test(text) ? 0 : short === undefined ? undefined : abbreviations[short];
  if (hours === undefined) return undefined;
  const [whole, rest] = [Math.trunc(Math.abs(hours)), Math.abs(hours % 1) * 60];
  return `${hours < 0 ? '-' : '+'}${String(whole).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

function timeIn(text: string): TimeOfDay | undefined {
  if (/\bmidnight\b/i.test(text)) return midnight;
  if (/\bnoon\b/i.test(text)) return { hours: 12, minutes: 0 };
  const found = clockTime.exec(text);
  if (found === null) return undefined;
  const [, twelve, past = '0', half, full, minutes = '0'] = found;
  const time =
    half === undefined
      ? { hours: Number(full), minutes: Number(minutes) }
      : { hours: (Number(twelve) % 12) + (half.toLowerCase() === 'p' ? 12 : 0), minutes: Number(past) };
  const isReal = time.hours < 24 && time.minutes < 60 && (twelve === undefined || (+twelve >= 1 && +twelve <= 12));
  return isReal ? time : undefined;
}

/** The day that the words name, and whether they name its year. */
interface NamedDay extends Day {
  readonly isOfYear: boolean;
}

function dayIn(text: string, now: number, zone: string): NamedDay | undefined {
  const today = dayAt(now, zone);
  if (/\btomorrow\b/i.test(text)) return { ...dayAt(now + day, zone), isOfYear: true };
  if (/\btoday\b/i.test(text)) return { ...today, isOfYear: true };
  const [, year, month, date] = isoDay.exec(text) ?? [];
  if (year !== undefined) return realDay({ year: Number(year), month: Number(month), date: Number(date) }, true);
  const [, monthFirst, dateAfter, yearAfter] = monthDay.exec(text) ?? [];
  const [, dateFirst, monthAfter, yearLast] = dayMonth.exec(text) ?? [];
  const place = months.indexOf((monthFirst ?? '').toLowerCase());
  const other = months.indexOf((monthAfter ?? '').toLowerCase());
  if (place >= 0) return datedDay(today, place + 1, dateAfter, yearAfter);
  if (other >= 0) return datedDay(today, other + 1, dateFirst, yearLast);
  const weekday = weekdays.findIndex((name) => new RegExp(`\\b${name}(?:[a-z]*day)?\\b`, 'i').test(text));
  if (weekday < 0) return undefined;
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  return { ...dayAt(now + ahead * day, zone), isOfYear: false };
}

function datedDay(today: Day, month: number, date = '', year = ''): NamedDay | undefined {
  return realDay({ year: year === '' ? today.year : Number(year), month, date: Number(date) }, year !== '');
}

function realDay(named: Day, isOfYear: boolean): NamedDay | undefined {
  const isReal = named.month >= 1 && named.month <= 12 && named.date >= 1 && named.date <= 31;
  return isReal ? { ...named, isOfYear } : undefined;
}

/** The next time that a clock shows this time of day, or when it last did if that has just passed. */
function nextAt(time: TimeOfDay, now: number, zone: string): number {
  const today = instantOf(dayAt(now, zone), time, zone);
  const last = today <= now ? today : instantOf(dayBefore(dayAt(now, zone)), time, zone);
  if (now - last < justPassedMs) return last;
  return today > now ? today : instantOf(dayAt(now + day, zone), time, zone);
}

/** This time of a named day. If it is long past, a day without a year is that of the next year or week. */
function onDay(named: NamedDay, time: TimeOfDay, now: number, zone: string): number {
  const at = instantOf(named, time, zone);
  if (named.isOfYear || at > now - day) return at;
  const later = instantOf({ ...named, year: named.year + 1 }, time, zone);
  return later - now < maxAheadMs ? later : at;
}
