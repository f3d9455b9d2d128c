import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt';
import { useEffect, useState } from 'react';

/** A time as the service sends it: RFC 3339, or a timestamp. Empty and undefined mean none. */
export type Moment = string | Timestamp | undefined;

/** A time in milliseconds since 1970; undefined if there is none. */
export function msOf(moment: Moment): number | undefined {
  if (moment === undefined || moment === '') return undefined;
  const ms = typeof moment === 'string' ? Date.parse(moment) : timestampMs(moment);
  return Number.isNaN(ms) ? undefined : ms;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = [timeZone, ...Object.keys(options)].join(' ');
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone !== undefined && { timeZone }) });
  formats.set(key, format);
  return format;
}

const year = { year: 'numeric' } as const;
const clock = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** The zone of this browser's clock, such as `Europe/Paris`. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * For example `Mon 23 Nov, 09:30`, in a time zone or that of this browser; with the year if it is not the current one.
 */
export function clockText(ms: number, timeZone?: string): string {
  const years = formatFor(timeZone, year);
  const isThisYear = years.format(ms) === years.format(Date.now());
  return formatFor(timeZone, isThisYear ? clock : { ...clock, ...year }).format(ms);
}

/** As `clockText`, to the second. */
function exactText(ms: number): string {
  return `${clockText(ms)}:${String(new Date(ms).getSeconds()).padStart(2, '0')}`;
}

interface WhenProps {
  readonly at: Moment;
  /** Whether to show seconds, as in a log. */
  readonly isExact?: boolean;
}

/** A time in this browser's time zone. */
export function When({ at, isExact = false }: WhenProps) {
  const ms = msOf(at);
  if (ms === undefined) return null;
  const iso = new Date(ms).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {isExact ? exactText(ms) : clockText(ms)}
    </time>
  );
}

/** The time until a moment, in its two largest units: `in 40s`, `in 4m`, `in 3h 20m`, `in 9d`. */
export function untilText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 1) return 'now';
  if (seconds < 60) return `in ${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `in ${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `in ${Math.floor(hours / 24)}d`;
  return `in ${hours}h${hours < 10 && minutes % 60 > 0 ? ` ${minutes % 60}m` : ''}`;
}

/** The time until a moment, updated live. */
export function Until({ at }: { readonly at: Moment }) {
  const ms = msOf(at);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  if (ms === undefined) return null;
  return (
    <time dateTime={new Date(ms).toISOString()} title={clockText(ms)}>
      {untilText(ms - now)}
    </time>
  );
}
