import { useEffect, useState } from 'react';

/** How many days the calendar shows, today included. */
export const daysShown = 7;

/** The boundaries of the days that the calendar shows, in this browser's time zone, in milliseconds since 1970. */
export function dayEdges(now: number): readonly number[] {
  const today = new Date(now);
  return Array.from({ length: daysShown + 1 }, (_, day) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + day).getTime(),
  );
}

/**
 * The position of a moment in the calendar, in days from its start. Each day counts as one, whether it has 23, 24 or 25
 * hours.
 */
export function placeOf(at: number, edges: readonly number[]): number {
  const day = edges.findLastIndex((edge) => edge <= at);
  const [from = at, to = at] = [edges[day], edges[day + 1]];
  return day < 0 ? 0 : Math.min(daysShown, day + (to > from ? (at - from) / (to - from) : 0));
}

/** The current time, updated each minute. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 60_000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

/** The name of a day above the calendar. */
export function dayName(edge: number, place: number): string {
  if (place === 0) return 'Today';
  return new Date(edge).toLocaleDateString('en-GB', { weekday: 'short' });
}
