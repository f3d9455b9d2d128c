import type { Park } from '#contract/agent/park.ts';

const reasons: Readonly<Record<string, string>> = {
  PARK_REASON_USAGE_LIMIT: 'usage limit',
  PARK_REASON_CREDENTIAL: 'signed out',
};

/** That an agent is parked, and for how much longer: `parked 2h 15m`. */
export function parkText({ until }: Park, now: number): string {
  return until ? `parked ${leftText(Date.parse(until) - now)}` : 'parked';
}

/** The same in full, with why, until when, and what happens then. */
export function parkDetails(park: Park, now: number): string {
  const { account, reason = '', until, resume, shownUntil, endUnknown } = park;
  const why = [reasons[reason] ?? 'by a person', account].filter(Boolean).join(' of ');
  const then = resume ? 'then asked to continue' : 'then left to you';
  if (!until) return `${parkText(park, now)} (${why}): muster unpark ends it`;
  if (endUnknown) return `${parkText(park, now)} (${why}): no end is shown, its screen is read again at ${until}`;
  const far = shownUntil ? ` (its screen shows ${shownUntil}, which is too far ahead)` : '';
  return `${parkText(park, now)} (${why}) until ${until}${far}, ${then}`;
}

/** A remaining time in its two largest units: `2h 15m`; `soon` once it is over. */
function leftText(milliseconds: number): string {
  if (milliseconds <= 0) return 'until soon';
  const minutes = Math.ceil(milliseconds / 60_000);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  if (days > 0) return `${days}d ${hours}h`;
  return hours > 0 ? `${hours}h ${minutes % 60}m` : `${minutes}m`;
}
