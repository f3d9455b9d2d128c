import type { Change } from '#actors/registry/kernel/writing.ts';
import type { AccountLimit } from '#contract/agent/park.ts';
import { lookAfterMs, maxLimitMs } from '#machines/agent/parking/limit-end.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredAccountLimit } from '#store/limit/account-limit-entity.ts';
import { isCurrent } from '#store/limit/account-limit-table.ts';
import { accountOf, userOf } from './account.ts';

/** Ends of limits that are closer than this are the same, in milliseconds: some CLIs round them. */
const sameMs = 10 * 60_000;

/** Whether an end is not later than a known one, or is not known itself. */
export function isSameEnd(known: number, shown: number | undefined): boolean {
  return (shown ?? 0) < known + sameMs;
}

/** The limit of an account, and whom what a screen adds to it concerns. */
interface NotedLimit {
  readonly limit: StoredAccountLimit;
  /** The agent that shows it alone, the other agents of the account too, or people as well. */
  readonly concerns: 'agent' | 'agents' | 'people';
}

/** Notes the limit of its account that an agent shows. */
export async function noteLimit(
  { tables, now }: Pick<Change, 'tables' | 'now'>,
  agent: StoredAgent,
  shown: AccountLimit,
): Promise<NotedLimit> {
  const { kind, until } = shown;
  const { key, name } = await accountOf(tables, userOf(agent));
  const known = await tables.accountLimits.find(key);
  if (known?.kind === kind && isCurrent(known, now) && addsNothing(known, until))
    return { limit: known, concerns: 'agent' };
  // People know already of a limit whose end was unknown, and which was not seen to end.
  const isKnown = kind === 'usage' && known?.kind === kind && known.until == null;
  const looks = isKnown && until === undefined ? known.looks + 1 : 0;
  const limit = endingAs({ key, kind, account: name, since: now, until: null, due: null, looks }, shown, now);
  // The screen shows an end that has passed: that is no limit of the others any more.
  if (until !== undefined && until <= now) return { limit, concerns: 'agent' };
  await tables.accountLimits.set(limit);
  return { limit, concerns: isKnown ? 'agents' : 'people' };
}

/** The limit as the agent itself shows it: its end may be a little later than that of the others. */
export function ownLimit(limit: StoredAccountLimit, shown: AccountLimit, now: number): StoredAccountLimit {
  return shown.until === undefined ? limit : endingAs(limit, shown, now);
}

function addsNothing({ kind, until: known }: StoredAccountLimit, until: number | undefined): boolean {
  if (until === undefined || kind === 'credential') return true;
  return known != null && isSameEnd(known, until);
}

/** A limit with the end that a screen shows: at most so far ahead, and for a usage limit until the next look if it shows none. */
function endingAs(limit: StoredAccountLimit, { kind, until }: AccountLimit, now: number): StoredAccountLimit {
  if (until !== undefined) return { ...limit, until, due: Math.min(until, now + maxLimitMs) };
  return { ...limit, due: kind === 'usage' ? now + lookAfterMs(limit.looks) : null };
}
