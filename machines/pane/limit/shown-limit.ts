import type { AccountLimit } from '#contract/agent/park.ts';
import type { Reading } from '#contract/pane/reading.ts';
import { resetTimeOf } from './reset-time.ts';

/** The reasons of readings that show a limit of an account, with what it is. */
const kinds: Readonly<Record<string, AccountLimit['kind']>> = {
  'usage-limit': 'usage',
  auth: 'credential',
  'sign-in': 'credential',
};

/**
 * The limit of its account that a CLI shows, with its end if the screen says so; undefined if it shows none. `now` is
 * in milliseconds since 1970, `zone` the time zone of the CLI.
 */
export function shownLimit(
  { state, reason, detail, evidence }: Pick<Reading, 'state' | 'reason' | 'detail' | 'evidence'>,
  now: number,
  zone: string,
): AccountLimit | undefined {
  const kind = Object.hasOwn(kinds, reason) ? kinds[reason] : undefined;
  if (kind === undefined || state === 'AGENT_STATE_THINKING') return undefined;
  const until = kind === 'usage' ? endOf([detail, wrapped(evidence)], now, zone) : undefined;
  const continues = kind === 'usage' && evidence.some((row) => continuing.test(row));
  return { kind, ...(until !== undefined && { until }), ...(continues && { continues }) };
}

/** The words after those that announce the end, in all rows: the sentence may be wrapped in the middle of a date. */
function wrapped(evidence: readonly string[]): string {
  const text = evidence.map((row) => row.trim()).join(' ');
  return announced.exec(text)?.[1] ?? '';
}

/** How a CLI says that it continues by itself. */
const continuing = /^ *Continuing (?:automatically|shortly)\b/;

const announced = /\b(?:[Rr]esets?|[Tt]ry again|[Aa]vailable again)(?: (?:at|in|on|after))* (.{1,60})/;

function endOf(texts: readonly string[], now: number, zone: string): number | undefined {
  return texts.map((text) => resetTimeOf(text, now, zone)).find((time) => time !== undefined);
}
