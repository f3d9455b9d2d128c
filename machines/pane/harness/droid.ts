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

/**
 * Droid. The composer is the lowest box, with `>`; a choice is in a box without it, above a row of keys. The row above
 * the composer's status row shows current work, with a spinner.
 */
const layout: ScreenLayout = {
  composers: [{ kind: 'framed', top: '^ *╭', prompt: '^ *│ >(?: |$)', more: '^ *│', bottom: '^ *╰' }],
  forms: [{ kind: 'marked', marks: '>❯', head: '^ *│ Trust this folder\\?', sealed: false }],
  live: '^(?: |$)',
  stale: strayPrompt,
  known: {
    signs: '[⛬●⎿❯]',
    ends: [],
    rows: ['^ {2,}\\S', '^⛬ {1,2}\\S', '^● {1,2}\\S', `^ {0,2}(?!${workingRow})${wordStart}`],
  },
  ghost: { looks: ['dim', 'grey'], texts: ['^Enter to steer · '], plainTexts: [] },
};

const keys = '↑↓ (?:navigate|focus list) {1,4}Enter select|Enter to confirm · Esc to exit';

const forms: readonly ScreenRule[] = [
  {
    id: 'droid/trust',
    priority: rank.form + 10,
    state: 'AGENT_STATE_WAITING',
    reason: 'trust',
    all: [{ in: 'form', row: '^ *│ Trust this folder\\?' }],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'droid/permission',
    priority: rank.form + 10,
    state: 'AGENT_STATE_WAITING',
    reason: 'permission',
    all: [
      { in: 'tail', last: 2, row: keys },
      { in: 'tail', last: 12, row: '^ *│ +Yes, (?:allow|and always allow)\\b' },
    ],
    none: [{ in: 'composer', is: 'present' }, lookalike],
  },
  {
    id: 'droid/sign-in',
    priority: rank.form + 40,
    state: 'AGENT_STATE_WAITING',
    reason: 'sign-in',
    all: [
      { in: 'tail', last: 4, row: '^ ?Please log ?in with\\b' },
      { in: 'tail', last: 3, row: '^[> ] (?:Login|Exit)$' },
    ],
    none: [{ in: 'composer', is: 'present' }, leftBehind],
  },
  {
    id: 'droid/menu',
    priority: rank.form + 5,
    state: 'AGENT_STATE_WAITING',
    reason: 'menu',
    all: [{ in: 'tail', last: 2, row: `^ *Type search {1,4}(?:${keys})` }],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'droid/selection',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'selection',
    all: [{ in: 'tail', last: 2, row: keys }],
    none: [{ in: 'composer', is: 'present' }],
  },
];

const turns: readonly ScreenRule[] = [
  {
    id: 'droid/retrying',
    priority: rank.status + 10,
    state: 'AGENT_STATE_THINKING',
    reason: 'retrying',
    all: [{ in: 'live', last: 4, row: '^ {0,2}[\\u2800-\\u28ff] Retrying\\b' }],
  },
  {
    id: 'droid/status-row',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', last: 4, row: '^ {0,2}[\\u2800-\\u28ff] \\S' },
      { in: 'live', last: 4, row: '\\(Press ESC to stop\\)$' },
      { in: 'composer', row: '^ ?Enter to steer · Ctrl\\+Enter to queue' },
    ],
  },
];

const rests: readonly ScreenRule[] = [
  unknownTitle('droid', '⛬'),
  {
    id: 'droid/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How Droid's screens are read. */
export const droid: HarnessScreens = { harness: 'droid', layout, rules: [...cliRules, ...forms, ...turns, ...rests] };
