import type { ScreenRule } from '#contract/pane/screen-rule.ts';
import { empty, rank, resetTime, resetWords, unknownTitle } from './common.ts';

/** How a limit of the subscription is announced. */
const limits =
  "You're out of (?:extra )?usage|You've (?:hit|reached) your\\b[^.]{0,40}\\blimit|Claude (?:AI )?usage limit reached|\\d+-hour limit reached|(?:Weekly|Session|Opus|Sonnet) (?:weekly )?limit reached";

/** Rest below what ended the last turn of Claude Code: a limit, a failure, or a refused sign-in. */
export const claudeFailures: readonly ScreenRule[] = [
  {
    id: 'claude/limit',
    priority: rank.rest + 20,
    state: 'AGENT_STATE_IDLE',
    reason: 'usage-limit',
    detail: resetTime,
    all: [{ in: 'live', last: 6, text: `(?:⎿ +|[●⏺] )(?:${limits})${resetWords}` }],
    any: empty,
  },
  {
    // From 2.1.332 on, it continues by itself some time after the limit, unless a person cancels that.
    id: 'claude/limit-continues',
    priority: rank.unsure - 40,
    state: 'AGENT_STATE_IDLE',
    reason: 'usage-limit',
    detail: resetTime,
    all: [
      { in: 'since', last: 8, text: `(?:⎿ +|[●⏺] )(?:${limits})${resetWords}` },
      { in: 'footer', row: '^ {2}⚠ Usage limit reached · limit resets \\S' },
      { in: 'footer', row: '^ {4}Continuing (?:automatically at \\S.{0,30}|shortly) · Esc to cancel$' },
    ],
    any: empty,
    none: [
      { in: 'unknown', row: '^(?! {4}Continuing (?:automatically|shortly) ?).*\\S' },
      ...unknownTitle('claude', '✳').all,
    ],
  },
  {
    id: 'claude/rate-limited',
    priority: rank.rest + 10,
    state: 'AGENT_STATE_IDLE',
    reason: 'rate-limit',
    all: [
      { in: 'live', last: 6, row: '^(?: *⎿ +|[●⏺] )API Error\\b.*(?:\\b429\\b|\\b529\\b|[Oo]verloaded|[Rr]ate.limit)' },
    ],
    any: empty,
  },
  {
    id: 'claude/error',
    priority: rank.rest + 5,
    state: 'AGENT_STATE_IDLE',
    reason: 'error',
    all: [{ in: 'live', last: 6, row: '^(?: *⎿ +|[●⏺] )API Error\\b' }],
    any: empty,
  },
  {
    id: 'claude/refused',
    priority: rank.rest + 20,
    state: 'AGENT_STATE_IDLE',
    reason: 'auth',
    all: [{ in: 'live', last: 6, text: '(?:⎿ +|[●⏺] )(?:.* )?Please run /login\\b' }],
    any: empty,
  },
];
