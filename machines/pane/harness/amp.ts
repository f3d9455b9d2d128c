import type { HarnessScreens, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import {
  cliRules,
  empty,
  leftBehind,
  lookalike,
  rank,
  strayPrompt,
  titleSpinner,
  unknownTitle,
  wordStart,
  workingRow,
} from './common.ts';

/**
 * A selected option, and one that is not. A draft could contain such rows, so the selected one needs its mark or its
 * key.
 */
const chosen = '^[ │]*(?:[▸▶❯›] ?[●◉] \\S|[●◉] \\S.*\\[Alt\\+\\d\\])';
const open = '^[ │]*[○◯] \\S';

/**
 * Amp. The composer is the lowest box; its lower edge begins with a wave and a word while a turn runs. A live form is a
 * box too, distinguished from a composer by its options.
 */
const layout: ScreenLayout = {
  composers: [{ kind: 'framed', top: '^ *╭', prompt: '^ *│', more: '^ *│', bottom: '^ *╰' }],
  forms: [],
  live: '^(?: |$)',
  stale: `${strayPrompt}|^ *Welcome to Amp\\b|\\[\\(y\\)es, \\(n\\)o\\]`,
  known: { signs: '▸?[○●◯]|▸', ends: [], rows: ['^ {3}', '^ *[┃▸○✓✗]', `^ {0,2}(?!${workingRow})${wordStart}`] },
  ghost: { looks: ['dim', 'grey'], texts: [], plainTexts: [] },
};

const forms: readonly ScreenRule[] = [
  {
    id: 'amp/boxed-form',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'permission',
    all: [
      { in: 'composer', row: chosen },
      { in: 'composer', row: open },
    ],
    // A composer's box has words in its lower edge: then the row is a draft.
    none: [{ in: 'screen', last: 3, row: '^ *╰.*[^─╰╯ ]' }],
  },
  {
    id: 'amp/form',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'permission',
    all: [
      { in: 'tail', last: 12, row: chosen },
      { in: 'tail', last: 12, row: open },
    ],
    none: [leftBehind, lookalike],
  },
  {
    id: 'amp/approval',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'permission',
    all: [
      { in: 'composer', is: 'present' },
      { in: 'screen', last: 3, row: '^ *╰ (?:\\S )?[Ww]aiting for approval\\b' },
    ],
  },
  {
    id: 'amp/sign-in',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'sign-in',
    all: [{ in: 'tail', last: 1, row: '\\?.*[[(]\\(?[Yy](?:\\)es)?[,/ ]+\\(?[Nn](?:\\)o)?[\\])]:? ?$' }],
    none: [{ in: 'composer', is: 'present' }],
  },
];

const turns: readonly ScreenRule[] = [
  {
    id: 'amp/edge',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'screen', last: 3, row: '^ *╰ [^─ ╯]' },
      { in: 'footer', row: '^ *[≈∿≋∼\\u2800-\\u28ff] \\S' },
      { in: 'live', last: 2, row: '^ {0,3}[≈∿≋∼] \\S.*(?:…|\\.\\.\\.|Esc to cancel)' },
    ],
  },
  {
    id: 'amp/title',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'title', row: titleSpinner },
      { in: 'composer', is: 'present' },
    ],
  },
];

const rests: readonly ScreenRule[] = [
  unknownTitle('amp'),
  {
    id: 'amp/exiting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exiting',
    all: [{ in: 'screen', last: 3, text: '\\b[Cc]trl ?[+-] ?[CcDd] again to (?:exit|quit)\\b' }],
  },
  {
    id: 'amp/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
    none: [{ in: 'tail', row: open }],
  },
];

/** How Amp's screens are read. */
export const amp: HarnessScreens = { harness: 'amp', layout, rules: [...cliRules, ...forms, ...turns, ...rests] };
