const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** What an interval has to be. */
export const intervalRule = 'minutes, hours or days, such as 30m, 6h or 1d';

/** What a duration has to be. */
export const durationRule = 'seconds, minutes, hours or days, such as 90s, 30m or 2h';

/** A duration such as `90s` or `2h` in milliseconds; undefined if it is none. */
export function durationMs(text: string): number | undefined {
  const [, seconds] = /^([1-9]\d{0,5})s$/.exec(text) ?? [];
  return seconds === undefined ? intervalMs(text) : 1_000 * Number(seconds);
}

/** An interval such as `6h` in milliseconds; undefined if it is none. */
export function intervalMs(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const ms = Number(digits) * (units[unit as keyof typeof units] ?? 0);
  return ms > 0 ? ms : undefined;
}
