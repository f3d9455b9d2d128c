import type { HarnessScreens, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import {
  cliRules,
  empty,
  floatingPage,
  leftBehind,
  noticeRow,
  rank,
  strayPrompt,
  unknownTitle,
  workingRow,
} from './common.ts';

/** The row below a composer or a form that names the current mode. */
const modes = '[○●] Plan +[○●] Act';

/**
 * Cline. The composer is `❯` between two rules, set in the middle on a fresh start; a live form takes its place and
 * leaves the footer with its modes. While a turn runs, a braille circle stands for the bullet of the last message.
 */
const layout: ScreenLayout = {
  composers: [
    { kind: 'framed', top: '^─{8,}$', prompt: '^❯(?: |$)', more: '^(?: |$)', bottom: '^─{8,}$' },
    { kind: 'framed', top: '^ {3,}─{8,}$', prompt: '^ {3,}❯(?: |$)', more: '^(?: {3}|$)', bottom: '^ {3,}─{8,}$' },
  ],
  forms: [{ kind: 'marked', marks: '>❯', foot: modes, sealed: false }],
  transcript: '^ [❯*x⎿\\u2800-\\u28ff] ',
  echo: '^ ❯ \\S',
  live: '^(?: {2}|$)',
  stale: `${strayPrompt}|^ *@{4}`,
  whole: true,
  known: {
    signs: '[❯⎿]',
    // The last one is what a short, narrow pane leaves of the hint on its start page.
    ends: [modes, '^─{8,}$', '^╰─', '^ *@{4}', '^ menu$'],
    // It sometimes paints no blank before the word.
    rows: [
      '^ {2}',
      '^ [❯*x⎿] ',
      '^ \\*Error: ',
      '^ ── ✻ Context compacted\\b',
      `^ ?(?!${workingRow})[\\p{L}\\p{N}/]`,
      '^@',
      noticeRow,
    ],
  },
  ghost: {
    looks: ['dim', 'grey'],
    texts: [],
    plainTexts: ['^What can I do for you\\?$', '^Ask anything(?:\\.\\.\\.|…)$'],
  },
};

const forms: readonly ScreenRule[] = [
  {
    id: 'cline/permission',
    priority: rank.form + 10,
    state: 'AGENT_STATE_WAITING',
    reason: 'permission',
    all: [{ in: 'tail', last: 6, row: '^ +\\[[a-z]\\] \\S.* \\[[a-z]\\] \\S' }],
    none: [{ in: 'composer', is: 'present' }, leftBehind],
  },
  {
    // In a short window, only one option remains visible.
    id: 'cline/short-question',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [
      { in: 'tail', row: '^ Cline is asking a question\\b' },
      { in: 'tail', last: 6, row: '^ +[>❯] \\S' },
      { in: 'tail', last: 4, row: modes },
    ],
    none: [{ in: 'composer', is: 'present' }, leftBehind],
  },
  {
    id: 'cline/sign-in',
    priority: rank.form + 40,
    state: 'AGENT_STATE_WAITING',
    reason: 'sign-in',
    all: [{ in: 'form', text: '\\b[Ss]ign in\\b' }],
    none: [{ in: 'composer', is: 'draft' }],
  },
  {
    id: 'cline/question',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [{ in: 'form', is: 'present' }],
    none: [{ in: 'composer', is: 'draft' }],
  },
];

const turns: readonly ScreenRule[] = [
  {
    id: 'cline/spinner',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'live', row: '^ [\\u2800-\\u28ff](?: \\S|$)' }],
  },
  {
    id: 'cline/footer',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'footer', row: '^ *[\\u2800-\\u28ff] \\S|\\besc to (?:cancel|interrupt|stop)\\b' }],
  },
  {
    // At rest, nothing is queued. The composer is below the box, and a short window cuts it off.
    id: 'cline/queued',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'screen', last: 24, row: '^│ Queued messages: +│$' },
      { in: 'screen', last: 24, text: '│ Queued messages: [^╭╮]*╯ ─{8,}(?: ❯[^─]*─{8,}[^─]*)?$' },
    ],
  },
];

const rests: readonly ScreenRule[] = [
  unknownTitle('cline'),
  {
    // Its transcript was scrolled up, so what it does may be below. At the end, a padding row with the bar's thumb is last.
    id: 'cline/scrolled',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'viewer',
    all: [{ in: 'screen', row: '(?: {2}|^ )[▀▄█]$' }],
    any: empty,
    none: [{ in: 'live', last: 1, row: '^ +[▀▄█]$' }],
  },
  {
    // A window too short for any row of the transcript shows no spinner, and Cline then prints nothing while it works.
    id: 'cline/hidden-transcript',
    priority: rank.unsure - 60,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [
      { in: 'prompt', row: '^❯' },
      { in: 'live', is: 'absent' },
    ],
    any: empty,
    none: [{ in: 'composer', row: '^What can I do for you\\?' }],
  },
  {
    // The spinner is before the first row of an answer, which a long answer has scrolled off the screen. While Cline works,
    // it shows only so much of the answer that the spinner remains visible and turns: the program is not silent.
    id: 'cline/headless-answer',
    priority: rank.unsure - 60,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [{ in: 'prompt', row: '^❯' }],
    any: empty,
    none: [
      { in: 'pane', row: ' silent$' },
      { in: 'live', row: '^ [❯*x⎿] \\S|^ ── ✻' },
      { in: 'composer', row: '^What can I do for you\\?' },
    ],
  },
  {
    // The row of a thought that was interrupted stays.
    id: 'cline/interrupted-thought',
    priority: rank.unsure - 45,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [
      { in: 'pane', row: ' silent$' },
      { in: 'unknown', row: '^ ▶ Thinking: ' },
    ],
    any: empty,
    none: [{ in: 'unknown', row: '^(?! ▶ Thinking: )' }],
  },
  {
    id: 'cline/unanswered',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'transition',
    all: [{ in: 'turn', is: 'present' }],
    none: [
      { in: 'pane', row: ' silent$' },
      { in: 'turn', row: '^ ?[^\\s❯]|^ *─{8}' },
    ],
  },
  floatingPage('cline'),
  {
    id: 'cline/unknown-footer',
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [{ in: 'footer', row: '^ {0,8}[^\\p{L}\\p{N}\\s○●(/~$.-] \\S' }],
    any: empty,
  },
  {
    id: 'cline/exiting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exiting',
    all: [{ in: 'footer', text: '\\b(?:[Cc]trl ?\\+ ?[CcDd]|[Ee]sc) again to (?:exit|quit)\\b' }],
  },
  {
    id: 'cline/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How Cline's screens are read. */
export const cline: HarnessScreens = { harness: 'cline', layout, rules: [...cliRules, ...forms, ...turns, ...rests] };
