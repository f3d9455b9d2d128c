import { exitedRule } from '#contract/pane/reading.ts';
import type { ScreenCondition, ScreenRule } from '#contract/pane/screen-rule.ts';

/** The priority of each kind of finding: a pane that is gone hides a viewer, a viewer hides a form, and so on. */
export const rank = {
  gone: 1000,
  viewer: 900,
  form: 800,
  status: 700,
  witness: 680,
  background: 650,
  unsure: 600,
  rest: 500,
  draft: 400,
} as const;

/** Commands that are a shell: a pane that shows one if a CLI should be has lost its CLI. */
export const shells = '^-?(?:ba|z|da|fi|k)?sh$';

/** When a limit ends, as it is in a sentence: `resets 3pm (UTC)`, `try again in 2 hours 5 minutes`. */
export const resetTime =
  '\\b(?:[Rr]esets?|[Tt]ry again|[Aa]vailable again)(?: (?:at|in|on|after))* ([^.·|]{1,60}?)(?: *$| *[.·|│])';

/** A shell's prompt at the left edge: whatever is above it was left behind. */
export const strayPrompt =
  '^\\S[^·|│]*[$#❯➜](?: |$)|^[$#❯➜](?: |$)|^\\S+ % |^[\\w.-]+@[\\w.-]+(?: \\S+)? ?[%>](?: |$)|^PS [A-Z~/][^ ]*>(?: |$)';

/** A logo of blocks, which a CLI paints as it starts: whatever is above it was left behind. */
export const logo = '^ {0,6}(?:[▐▝▘▗][▛▜▟▙█▀▄]|[█▄]{2,6} |▝▜▄)';

/** A shell's prompt is the last row: the CLI is gone, though no command says so, and what it asked is history. */
export const leftBehind: ScreenCondition = { in: 'tail', last: 1, row: strayPrompt };

/** A spinner at the head of a title. */
export const titleSpinner = '^[\\u2800-\\u28ff◐◓◑◒]';

/** The composer is there and nothing is typed in it. */
export const empty: ScreenCondition[] = [
  { in: 'composer', is: 'blank' },
  { in: 'composer', is: 'ghost' },
];

/** Of any pane: it is dead, or a person has put it into a mode that hides the live screen. */
export const goneRules: readonly ScreenRule[] = [
  {
    id: 'pane/dead',
    priority: rank.gone,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exited',
    all: [{ in: 'pane', row: '^dead$' }],
  },
  {
    id: 'pane/mode',
    priority: rank.gone,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'mode',
    all: [{ in: 'pane', row: '^mode$' }],
  },
];

/** Of every CLI: its shell came back, its own status sequences, and a draft in its composer. */
export const cliRules: readonly ScreenRule[] = [
  ...goneRules,
  {
    id: exitedRule,
    priority: rank.gone,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exited to a shell',
    all: [{ in: 'command', row: shells }],
  },
  {
    id: 'status/working',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'status', row: '(?:^|[;:])state=working\\b' },
      { in: 'screen', is: 'present' },
    ],
  },
  {
    id: 'status/blocked',
    priority: rank.witness,
    state: 'AGENT_STATE_WAITING',
    reason: 'blocked',
    all: [
      { in: 'status', row: '(?:^|[;:])state=blocked\\b' },
      { in: 'screen', is: 'present' },
    ],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'status/disagrees',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'disagreement',
    all: [
      { in: 'status', row: '(?:^|[;:])state=blocked\\b' },
      { in: 'composer', is: 'present' },
    ],
  },
  {
    id: 'progress/busy',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'progress', row: '^[13](?:;|$)' },
      { in: 'composer', is: 'present' },
    ],
  },
  {
    id: 'composer/draft',
    priority: rank.draft,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'draft',
    all: [{ in: 'composer', is: 'draft' }],
  },
];

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
 * At rest below an error that ended the turn. `head` is how the row of an error begins, which is the first row of the
 * live block; the words behind it name its kind.
 */
export function failureRules(harness: string, head: string): ScreenRule[] {
  return failureKinds.map(({ name, reason, words }, place) => ({
    id: `${harness}/${name}`,
    priority: rank.rest + 40 - 10 * place,
    state: 'AGENT_STATE_IDLE',
    reason,
    detail: resetTime,
    all: [{ in: 'live', text: `^${head}.*(?:${words})` }],
    any: [...empty],
  }));
}
