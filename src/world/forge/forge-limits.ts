import type { ForgeQuota } from './forge-client.ts';

/** The maximum wait that is accepted, in milliseconds. */
const longestWait = 24 * 60 * 60 * 1_000;

/** The quota in an answer's headers, in the forms of GitHub, GitLab and Gitea's proxies; undefined if there is none. */
export function quotaOf(headers: Headers): ForgeQuota | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    numberOf(headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`)),
  );
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: reset * 1_000 };
}

/**
 * When a forge that refused may be asked again, in milliseconds since 1970: from its `Retry-After`, in seconds or as a
 * date, or from the reset of an exhausted quota. Undefined if it does not report that.
 */
export function retryAtOf(status: number, headers: Headers, now: number): number | undefined {
  const after = headers.get('retry-after');
  const seconds = numberOf(after);
  const date = after === null || seconds !== undefined ? Number.NaN : Date.parse(after);
  const given = seconds !== undefined ? now + seconds * 1_000 : Number.isNaN(date) ? undefined : date;
  const quota = quotaOf(headers);
  const isUsedUp = quota !== undefined && (quota.remaining === 0 || status === 429);
  const at = given ?? (isUsedUp ? quota.resetAt : undefined);
  return at === undefined ? undefined : Math.min(Math.max(at, now), now + longestWait);
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;
}
