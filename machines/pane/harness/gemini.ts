import type { HarnessScreens, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import {
  cliRules,
  empty,
  logo,
  lookalike,
  noticeRow,
  rank,
  resetTime,
  strayPrompt,
  unknownTitle,
  workingRow,
} from './common.ts';
import { failureRules } from './failures.ts';

/**
 * Gemini CLI. Composer and sent prompts have the same frame, so the composer is the one with no transcript below it;
 * if the person wants no colours, it is the only one, framed by lines.
 * The title is the best evidence, except that it says Ready during the trust and sign-in dialogs.
 */
const layout: ScreenLayout = {
  composers: [
    { kind: 'framed', top: '^ ?[▄▀]{4}', prompt: '^ [>*!](?: |$)', more: '^(?: {3}|$)', bottom: '^ ?[▄▀]{4}' },
    { kind: 'framed', top: '^─{4}', prompt: '^ [>*!](?: |$)', more: '^(?: {3}|$)', bottom: '^─{4}' },
    { kind: 'framed', top: '^╭─', prompt: '^│ [>*!](?: |$)', more: '^│', bottom: '^╰─' },
  ],
  forms: [{ kind: 'marked', marks: '●∙', head: '^ ?╭─', sealed: false }],
  transcript: '^[✦✕ℹ✓⚠] |^ ?╭─|^ ?[\\u2800-\\u28ff] (?!Waiting for user)',
  echo: '^ [>!] \\S',
  live: '^(?: |$|─|ℹ |[\\u2800-\\u28ff])',
  stale: `${strayPrompt}|${logo}`,
  known: {
    signs: '[✦✕▲▼▝▗]',
    ends: ['^\\d\\. ', '^ (?:workspace \\(|[~/]\\S* {2,}\\S)'],
    rows: [
      '^ {2}',
      '^[✦✕ℹ✓⚠] ',
      '^ ?[╭│╰▄▀─▝▗]',
      `^ ?(?!${workingRow}|.*(?:…|\\.{3})(?: |$))[\\p{L}\\p{N}>*!?(/]`,
      '^ [▲▼]',
      noticeRow,
    ],
  },
  ghost: { looks: ['dim', 'grey'], texts: ['^ *Type your message or\\s+@path'], plainTexts: [] },
};

const forms: readonly ScreenRule[] = [
  form('trust', 'trust', 40, '[Tt]rust (?:this|the|folder)'),
  form('sign-in', 'sign-in', 40, 'authenticate|[Ss]ign in|API [Kk]ey'),
  {
    ...form('usage-limit', 'usage-limit', 35, '[Uu]sage limit reached|[Qq]uota (?:limit )?(?:reached|exceeded)'),
    detail: resetTime,
  },
  form('plan', 'plan', 30, 'edit plan|Approves plan'),
  form('question', 'question', 20, 'Answer Questions|to switch questions'),
  form('permission', 'permission', 10, 'Allow (?:once|execution)|Apply this change|\\(esc\\)'),
  form('selection', 'selection', 0),
  {
    id: 'gemini/key-entry',
    priority: rank.form + 10,
    state: 'AGENT_STATE_WAITING',
    reason: 'sign-in',
    all: [
      { in: 'tail', last: 1, row: '^╰─' },
      { in: 'tail', last: 12, text: 'API [Kk]ey' },
      { in: 'tail', last: 4, row: '^│.*\\bEnter to (?:select|submit)\\b' },
    ],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'gemini/dialog',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [
      { in: 'tail', last: 1, row: '^╰─' },
      { in: 'tail', last: 4, row: '^│.*\\bEnter to (?:select|submit)\\b' },
    ],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'gemini/bare-dialog',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [{ in: 'tail', last: 2, text: '(?:^| )Enter to (?:select|submit)\\b.*\\bEsc to cancel$' }],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'gemini/shell-input',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'input',
    all: [{ in: 'live', last: 8, row: '^ ?(?:\\S )?! Shell awaiting input' }],
  },
  {
    id: 'gemini/title-blocked',
    priority: rank.witness,
    state: 'AGENT_STATE_WAITING',
    reason: 'blocked',
    all: [
      { in: 'title', row: '^✋' },
      { in: 'screen', is: 'present' },
    ],
    none: [{ in: 'composer', is: 'present' }, lookalike],
  },
];

const turns: readonly ScreenRule[] = [
  {
    id: 'gemini/status-row',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', last: 8, row: '^ ?[\\u2800-\\u28ff] \\S' },
      { in: 'live', last: 8, row: '^ ?\\(esc to cancel, ' },
      // A person may have disabled the spinner.
      { in: 'live', last: 8, row: '^ ?\\p{L}.* \\(esc to cancel, (?:\\d+[hm] ?){0,3}\\d+s\\)' },
    ],
    // A frame that a resize left above the end of its turn.
    none: [{ in: 'live', text: '\\(esc to cancel, [^()]*\\) .*ℹ Request cancelled\\.(?!.*\\(esc to cancel, )' }],
  },
  {
    // Indented like an answer, which may quote it. At rest, the title would show that.
    id: 'gemini/indented-status-row',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'composer', is: 'present' },
      { in: 'live', last: 8, row: '^ {2,3}\\p{L}.* \\(esc to cancel, (?:\\d+[hm] ?){0,3}\\d+s\\)' },
    ],
    none: [{ in: 'title', row: '^◇' }],
  },
  {
    id: 'gemini/title-working',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'title', row: '^[✦⏲]' },
      { in: 'screen', is: 'present' },
    ],
  },
];

/** A number of seconds at the end of a row, in brackets: Gemini shows it while it works. */
const seconds = '(?:\\d+[hm] ?){0,3}\\d+s\\)';
const hintOfWork = `^ {2,3}(?:.{0,12} )?\\(?(?:esc )?to cancel, ${seconds}|^ ?✦ .*\\((?:[^()]*, )?${seconds}$`;

/** A status row at the left edge. */
const leftFrame = '^ ?[\\u2800-\\u28ff] .*\\(esc to cancel, ';

const rests: readonly ScreenRule[] = [
  {
    id: 'gemini/history-search',
    priority: rank.viewer,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'viewer',
    all: [{ in: 'tail', last: 8, row: '^(?:│| )? ?\\(r:\\) ' }],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'gemini/disagrees',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'disagreement',
    all: [
      { in: 'title', row: '^✋' },
      { in: 'composer', is: 'present' },
    ],
  },
  {
    id: 'gemini/shell-mode',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'draft',
    all: [{ in: 'prompt', row: '^(?:│ | )!' }],
  },
  unknownTitle('gemini', '◇'),
  {
    // The title says that it is ready, and the only unknown row is a frame that a resize left behind.
    id: 'gemini/title-ready',
    priority: rank.unsure - 45,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [
      { in: 'title', row: '^◇ +Ready\\b' },
      { in: 'unknown', row: leftFrame },
    ],
    any: empty,
    none: [{ in: 'unknown', row: `^(?!${leftFrame.slice(1)})` }],
  },
  {
    id: 'gemini/unanswered',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'transition',
    all: [{ in: 'turn', is: 'present' }],
    none: [
      { in: 'turn', row: '^ > /(?:corgi|clear|vim)(?: |$)|^[^\\s▀▄─]|^ [╭│╰⊷\\u2800-\\u28ff]|^ [a-z]\\S* {2,}\\S' },
    ],
  },
  {
    // Neither a title nor anything above its composer: the status row may have scrolled off a short window.
    id: 'gemini/unproved',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
    none: [
      { in: 'title', row: '^◇' },
      { in: 'live', row: '^(?:[^\\s─]| ?[▀▄╭╰│])' },
      { in: 'live', row: logo },
      // With so much of an answer above the composer, a status row would show.
      { in: 'live', text: '^.{400}' },
    ],
  },
  {
    // The end of such a row that is wrapped, or of a quotation; or such a row with the mark of an answer.
    id: 'gemini/hint-or-quotation',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [{ in: 'live', last: 3, row: hintOfWork }],
    any: empty,
    none: [{ in: 'title', row: '^◇' }],
  },
  {
    id: 'gemini/exiting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exiting',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', last: 4, row: 'Press Ctrl\\+[CD] again to exit' },
      { in: 'footer', text: 'Press Ctrl\\+[CD] again to exit' },
    ],
  },
  ...failureRules('gemini', '✕ (?:\\[API )?Error\\b'),
  {
    id: 'gemini/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How Gemini CLI's screens are read. */
export const gemini: HarnessScreens = { harness: 'gemini', layout, rules: [...cliRules, ...forms, ...turns, ...rests] };

/** A form of Gemini: its shape alone makes it WAITING, and the words only name its kind. */
function form(name: string, reason: string, above: number, words?: string): ScreenRule {
  return {
    id: `gemini/${name}`,
    priority: rank.form + above,
    state: 'AGENT_STATE_WAITING',
    reason,
    all: [{ in: 'form', is: 'present' }, ...(words === undefined ? [] : [{ in: 'form' as const, text: words }])],
  };
}
