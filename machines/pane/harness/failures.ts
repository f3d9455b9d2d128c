import type { ScreenRule } from '#contract/pane/screen-rule.ts';
import { empty, rank, resetTime, resetWords } from './common.ts';

/** Kinds of failure that end a turn, with the words that identify them, the most specific first. */
const failureKinds = [
  {
    name: 'limit',
    reason: 'usage-limit',
    words:
      '(?:[Uu]sage|[Rr]equest|[Dd]aily|[Mm]onthly|[Ww]eekly|[Ss]ession|[Ss]pend(?:ing)?|[Cc]redit)s?[ -](?:\\w+ ){0,2}(?:limit|quota)\\b|exhausted your|[Qq]uota exceeded|[Oo]ut of credits|[Ii]nsufficient (?:credit|quota|balance)',
  },
  {
    name: 'rate-limited',
    reason: 'rate-limit',
    words: '\\b[45]29\\b|RESOURCE_EXHAUSTED|[Rr]ate.limit|[Tt]oo [Mm]any [Rr]equests|[Oo]verloaded',
  },
  {
    name: 'refused',
    reason: 'auth',
    words:
      '\\b40[13]\\b|UNAUTHENTICATED|PERMISSION_DENIED|[Uu]nauthorized|[Ff]orbidden|[Aa]uthentication (?:failed|error)|[Ii]nvalid (?:API )?(?:key|token|credentials)|API key not valid',
  },
  { name: 'error', reason: 'error', words: '' },
] as const;

/**
 * Rest below an error that ended the turn. `head` matches the beginning of an error's row, the first row of the live
 * block. The words after it identify its kind.
 */
export function failureRules(harness: string, head: string): ScreenRule[] {
  return failureKinds.map(({ name, reason, words }, place) => ({
    id: `${harness}/${name}`,
    priority: rank.rest + 40 - 10 * place,
    state: 'AGENT_STATE_IDLE',
    reason,
    detail: resetTime,
    all: [{ in: 'live', text: `^${head}.*(?:${words})${reason === 'usage-limit' ? resetWords : ''}` }],
    any: [...empty],
  }));
}
