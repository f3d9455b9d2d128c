import type { HarnessScreens, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import {
  cliRules,
  empty,
  leftBehind,
  lookalike,
  rank,
  strayPrompt,
  unknownTitle,
  wordStart,
  workingRow,
} from './common.ts';

/** The key that an option ends with, as in `(y)`, `(esc or n)` or `(shift+tab)`. */
const key = '\\((?:[a-z]|enter|tab|esc|shift\\+tab)(?: or [a-z])*\\)';

/**
 * Cursor's agent CLI. The composer is a row that begins with `→`, in older versions in a box; an option of a live form
 * begins with it too, but ends with its key. While a turn runs, the composer's row says how to stop it.
 */
const layout: ScreenLayout = {
  composers: [
    { kind: 'framed', top: '^ *┌─', prompt: '^ *│ *→(?: |$)', more: '^ *│', bottom: '^ *└─' },
    { kind: 'open', prompt: `^ {0,3}→(?: (?!.*${key} *$)|$)`, more: '^ {4,}' },
  ],
  forms: [{ kind: 'marked', marks: '→▶❯', head: '^ *╭─', sealed: false }],
  live: '^(?:$| {3,}| {2}Queued: | *[┌└]─)',
  stale: `${strayPrompt}|^ {1,2}╭─|^ {2}Cursor Agent$`,
  known: {
    signs: '[›❯]',
    ends: ['^ *└─+┘$', '^ {2}Cursor Agent$'],
    rows: ['^ {4}', `^ {0,3}(?!${workingRow})${wordStart}`],
  },
  ghost: {
    looks: ['dim', 'grey'],
    texts: ['^(?:Add a follow-up|Plan, search, build anything)(?: {2,}.*)?$'],
    plainTexts: [],
  },
};

const forms: readonly ScreenRule[] = [
  {
    id: 'cursor/approval',
    priority: rank.form + 10,
    state: 'AGENT_STATE_WAITING',
    reason: 'permission',
    all: [
      { in: 'tail', last: 12, row: '\\((?:y|enter)\\)[ │]*$' },
      { in: 'tail', last: 12, row: '\\((?:n|esc|esc or n)(?: or [a-z])*\\)[ │]*$' },
    ],
    none: [leftBehind, lookalike],
  },
  {
    id: 'cursor/trust',
    priority: rank.form + 40,
    state: 'AGENT_STATE_WAITING',
    reason: 'trust',
    all: [{ in: 'form', text: '\\b[Tt]rust\\b' }],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'cursor/selection',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'selection',
    all: [{ in: 'form', is: 'present' }],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'cursor/menu',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'selection',
    all: [
      { in: 'prompt', row: '^ *→ [^/@!\\s]' },
      {
        in: 'footer',
        last: 1,
        row: '^ *(?:↑|[Uu]se (?:the )?arrow|[Aa]rrow).*\\b[Ee]nter (?:to )?(?:select|confirm|submit|open)\\b',
      },
    ],
  },
  {
    id: 'cursor/sign-in',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'sign-in',
    all: [{ in: 'tail', last: 4, text: '[Pp]ress any key to (?:log|sign) in' }],
    none: [{ in: 'composer', is: 'present' }, leftBehind],
  },
];

const turns: readonly ScreenRule[] = [
  {
    id: 'cursor/stop-hint',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'prompt', row: ' {2,}(?:ctrl\\+c|esc) to (?:stop|interrupt|cancel)[ │]*$' },
      { in: 'footer', row: '(?:^ ?| {2})(?:ctrl\\+c|esc) to (?:stop|interrupt|cancel) *$' },
    ],
  },
  {
    id: 'cursor/status-row',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'live', row: '^ {0,2}[\\u2800-\\u28ff⬡⬢]{1,2} \\S' }],
  },
];

const rests: readonly ScreenRule[] = [
  unknownTitle('cursor'),
  {
    id: 'cursor/exiting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exiting',
    all: [{ in: 'footer', text: '\\b[Cc]trl ?\\+ ?[CcDd] again to (?:exit|quit)\\b' }],
  },
  {
    id: 'cursor/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How the screens of Cursor's agent CLI are read. */
export const cursor: HarnessScreens = { harness: 'cursor', layout, rules: [...cliRules, ...forms, ...turns, ...rests] };
