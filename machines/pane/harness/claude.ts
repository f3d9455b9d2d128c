import type { HarnessScreens, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import { cliRules, empty, rank, resetTime, strayPrompt, titleSpinner } from './common.ts';

/**
 * Claude Code. The composer is `❯` between two rules; a live form takes its place. While a turn runs there is a status
 * row above the composer, or a hint in its footer, or at least a grey `❯`.
 */
const layout: ScreenLayout = {
  composers: [
    { kind: 'framed', top: '^──', prompt: '^[❯>!#&](?: |$)', more: '^(?: |$)', bottom: '^──' },
    { kind: 'framed', top: '^╭─', prompt: '^│ [❯>!#&](?: |$)', more: '^│', bottom: '^╰─' },
    { kind: 'framed', top: '^──', prompt: '^[❯>]$', more: '^(?: {2}|$)' },
  ],
  forms: [{ kind: 'marked', marks: '❯>', head: '^ *(?:──|▔▔|╭─)', sealed: true }],
  transcript: '^[●⏺] |^[·✢✳✶✻✽∗*] \\S+ for \\d',
  live: '^(?: |$|[❯>] )',
  echo: '^[❯>] \\S',
  stale: `${strayPrompt}|^ ?[▐▝]{1,2}[▛▜]|^ ?Paste code here`,
  ghost: {
    looks: ['dim'],
    texts: [],
    plainTexts: [
      '^Try "',
      '^Press up to edit queued messages?$',
      '^(?:Resend|Once fixed, resend) your message(?: to try again)?$',
    ],
  },
};

/** How a limit of the subscription is announced. */
const limits =
  "You're out of (?:extra )?usage|You've (?:hit|reached) your\\b[^.]{0,40}\\blimit|Claude (?:AI )?usage limit reached|\\d+-hour limit reached|(?:Weekly|Session|Opus|Sonnet) (?:weekly )?limit reached";

const forms: readonly ScreenRule[] = [
  form('trust', 'trust', 40, 'trust (?:this|the files)|project you (?:created|trust)'),
  form('sign-in', 'sign-in', 40, 'login method|log in|sign in|API key'),
  form('plan', 'plan', 30, 'plan mode\\?|Claude has written|Here is Claude.s plan|Ready to code'),
  { ...form('usage-limit', 'usage-limit', 15, '\\d[.)] [^?.]{0,40}\\blimit to reset'), detail: resetTime },
  form('question', 'question', 20, 'Chat about this|Type something|Submit answers'),
  form('permission', 'permission', 10, '\\b[Dd]o you want to |\\bAllow\\b|1\\. Yes.* \\d\\. No'),
  form('menu', 'menu', 5, '^▔|Enter to (?:save|set)|to adjust'),
  form('selection', 'selection', 0),
  {
    id: 'claude/keys',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'sign-in',
    all: [{ in: 'tail', last: 3, text: 'Paste code here if prompted|Press Enter to continue' }],
    none: [{ in: 'composer', is: 'present' }],
  },
];

const turns: readonly ScreenRule[] = [
  {
    id: 'claude/retrying',
    priority: rank.status + 20,
    state: 'AGENT_STATE_THINKING',
    reason: 'retrying',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', row: '^[·✢✳✶✻✽∗*] .*[Rr]etrying in \\d' },
      { in: 'live', row: '^ *⎿ .*[Rr]etrying in \\d' },
      { in: 'live', text: '⎿ API [Ee]rror\\b[^⎿●⏺]*[Rr]etrying in \\d' },
    ],
    // An answer may quote such a row; the row itself is below the prompt that failed.
    none: [{ in: 'live', text: '^[●⏺] (?:(?! [❯>] ).)*⎿ .*[Rr]etrying in \\d' }],
  },
  {
    // The status row runs on below the answer that failed.
    id: 'claude/retrying-above',
    priority: rank.status + 20,
    state: 'AGENT_STATE_THINKING',
    reason: 'retrying',
    all: [
      { in: 'composer', is: 'present' },
      { in: 'live', row: '^[·✢✳✶✻✽∗*] \\S.*…' },
      { in: 'turn', text: '⎿ [^⎿●⏺]*[Rr]etrying in \\d[^⎿●⏺]*\\battempt \\d+[^⎿●⏺]* [·✢✳✶✻✽∗*] [^●⏺]*…[^●⏺]*$' },
    ],
  },
  {
    id: 'claude/compacting',
    priority: rank.status + 10,
    state: 'AGENT_STATE_THINKING',
    reason: 'compacting',
    all: [
      { in: 'composer', is: 'present' },
      { in: 'live', row: '^[·✢✳✶✻✽∗*] Compacting\\b.*…' },
    ],
  },
  {
    id: 'claude/status-row',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', row: '^[·✢✳✶✻✽∗*] \\S+ing\\b.*…' },
      { in: 'live', row: '^[·✢✳✶✻✽∗] \\S+ing(?: [a-z.]+){0,3}$' },
      { in: 'live', row: '^[·✢✳✶✻✽∗*●] \\S.*… \\((?:.*\\d+s|.*esc)' },
      { in: 'live', row: '^[·✢✳✶✻✽∗*●] Waiting for [1-9]' },
      // The end of a row that a resize has wrapped.
      { in: 'live', row: '^(?:[^\\s●⏺❯>].*)?\\b(?:interrupt|tokens)(?: ·[^()]*)?\\)$' },
    ],
  },
  {
    id: 'claude/interrupt-hint',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'footer', text: '(?:esc|ctrl\\+c) to (?:interrupt|stop)' }],
  },
  {
    id: 'claude/background',
    priority: rank.background,
    state: 'AGENT_STATE_THINKING',
    reason: 'background',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', row: '^[·✢✳✶✻✽∗*] .*[ ·][1-9]\\d* .*still running' },
      {
        in: 'footer',
        text: '\\b[1-9]\\d* (?:local |background )?(?:shell|agent|monitor|task|workflow)s?\\b.*to manage',
      },
      {
        in: 'footer',
        row: '(?:^ {1,4}|· )[1-9]\\d* (?:shells?|bash(?:es)?|local agents?|monitors?|background (?:shell|task|agent|bash|workflow)(?:es|s)?)(?: running)?(?:, [1-9]\\d* monitors?)?(?: ·.*)?$',
      },
      { in: 'footer', row: ' (\\d+)/(?!\\1 )\\d+ agents done' },
    ],
  },
  {
    id: 'claude/title',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'title', row: titleSpinner },
      { in: 'composer', is: 'present' },
    ],
  },
  {
    id: 'claude/turn-colour',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'prompt', row: '^(❯)', look: 'grey' }],
  },
];

const rests: readonly ScreenRule[] = [
  {
    id: 'claude/viewer',
    priority: rank.viewer,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'viewer',
    all: [{ in: 'screen', is: 'present' }],
    any: [
      { in: 'tail', last: 4, text: 'Showing (?:detailed )?transcript' },
      { in: 'tail', row: '^[ │]*⌕ ' },
      { in: 'tail', text: 'general commands custom-commands' },
    ],
  },
  {
    id: 'claude/unfinished',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [
      { in: 'screen', is: 'plain' },
      { in: 'screen', row: '^[·✢✳✶✻✽∗*] .* · done \\d+:\\d' },
      { in: 'live', text: '^[●⏺] ' },
    ],
    none: [{ in: 'live', row: '^ *⎿ ' }],
  },
  {
    // The same if only the footer shows that it is a version which ends each turn with its own row.
    id: 'claude/unfinished-first',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [
      { in: 'screen', is: 'plain' },
      { in: 'footer', row: ' · ← for agents' },
      { in: 'live', text: '^[●⏺] .{80}' },
    ],
    none: [{ in: 'live', row: '^ *⎿ ' }],
  },
  {
    id: 'claude/answer-without-end',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [
      { in: 'screen', is: 'plain' },
      { in: 'live', text: '^.{400}' },
    ],
    none: [{ in: 'live', row: '^\\S' }],
  },
  {
    id: 'claude/unanswered',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'transition',
    all: [{ in: 'turn', is: 'present' }],
    none: [{ in: 'turn', row: '^(?:[^\\s❯>]| {1,4}⎿)' }],
  },
  {
    id: 'claude/retry-or-quotation',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [{ in: 'live', row: '^ *⎿ .*[Rr]etrying in \\d' }],
  },
  {
    id: 'claude/shell-mode',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'draft',
    all: [{ in: 'prompt', row: '^(?:│ )?[!#&]' }],
  },
  {
    id: 'claude/help',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'help',
    all: [{ in: 'footer', text: '! for (?:shell|bash) mode .*/ for commands' }],
  },
  {
    id: 'claude/exiting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exiting',
    all: [{ in: 'footer', text: 'Press \\S+ again to exit' }],
  },
  {
    id: 'claude/limit',
    priority: rank.rest + 20,
    state: 'AGENT_STATE_IDLE',
    reason: 'usage-limit',
    detail: resetTime,
    all: [{ in: 'live', last: 6, text: `(?:⎿ +|[●⏺] )(?:${limits})` }],
    any: empty,
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
    id: 'claude/signed-out',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'sign-in',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'footer', text: '\\bNot logged in\\b|\\b[Rr]un /login\\b' },
      { in: 'live', last: 6, text: '(?:⎿ +|[●⏺] )(?:Not logged in|Invalid API key)\\b.*Please run /login\\b' },
    ],
  },
  {
    id: 'claude/refused',
    priority: rank.rest + 20,
    state: 'AGENT_STATE_IDLE',
    reason: 'auth',
    all: [{ in: 'live', last: 6, text: '(?:⎿ +|[●⏺] )(?:.* )?Please run /login\\b' }],
    any: empty,
  },
  {
    id: 'claude/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How Claude Code's screens are read. */
export const claude: HarnessScreens = { harness: 'claude', layout, rules: [...cliRules, ...forms, ...turns, ...rests] };

/** A form of Claude: its shape alone makes it WAITING, and the words only name its kind. */
function form(name: string, reason: string, above: number, words?: string): ScreenRule {
  return {
    id: `claude/${name}`,
    priority: rank.form + above,
    state: 'AGENT_STATE_WAITING',
    reason,
    all: [{ in: 'form', is: 'present' }, ...(words === undefined ? [] : [{ in: 'form' as const, text: words }])],
  };
}
