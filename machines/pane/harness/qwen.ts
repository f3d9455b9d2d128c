import type { HarnessScreens, ScreenCondition, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import {
  cliRules,
  empty,
  leftBehind,
  logo,
  lookalike,
  noticeRow,
  rank,
  strayPrompt,
  titleSpinner,
  unknownTitle,
  workingRow,
} from './common.ts';
import { failureRules } from './failures.ts';

/** The same with the time behind the hint how to interrupt, or before one in brackets of its own. */
const turningRow = `(?:${workingRow}|.*\\((?:[^()]*, )?(?:\\d+[hm] ?){0,3}\\d+s(?: [•·] .*)?\\)$)`;

/**
 * Qwen Code, a descendant of Gemini CLI. The composer is `>` between two rules; a live form takes its place. The status
 * row is right above the composer. The title has a half circle while a turn runs and `✳` while it waits.
 */
const layout: ScreenLayout = {
  composers: [
    { kind: 'framed', top: '^──', prompt: '^[>!*](?: |$)', more: '^(?: {2}|$)', bottom: '^──' },
    { kind: 'framed', top: '^╭─', prompt: '^│ [>!*](?: |$)', more: '^│', bottom: '^╰─' },
  ],
  forms: [
    {
      kind: 'marked',
      marks: '›❯●',
      head: '^ *[╭┌]─|^ {2}\\? ',
      foot: '^ *└─|^ {0,2}\\S? ?Waiting for user confirmation',
      sealed: false,
    },
  ],
  transcript: '^ {2}(?:>(?! \\S.* {2,}\\S)|[◆✦✕ℹ✓✔✗○]|●(?! {1,2}\\d)|\\? )\\ufe0e? |^╭─|^ {2}┌─.*┐$',
  echo: '^ {2}>(?! \\S.* {2,}\\S) \\S',
  live: '^(?:$| (?! ?(?:[>◆✦✕ℹ✓✔●○?-]\\ufe0e? |[╰└]─)))',
  stale: `${strayPrompt}|${logo}|^ {1,3}[╭┌]─`,
  known: {
    signs: '[◆✦✕○●∴▲▼›]\\ufe0e?',
    ends: ['^ {2}└─', '^ {2}(?:➜|[⏸⏵]+) (?!\\d)', '^ {0,2}\\S? ?Waiting for user confirmation'],
    rows: [
      '^ {4}',
      `^ {0,2}(?! *${turningRow})[◆✦✕ℹ✓✔✗○●∴?╭│╰┌└├─-]`,
      '^ {0,2}>(?: |$)',
      `^ {0,3}(?!${turningRow}|[/~] )[\\p{L}\\p{N}/~"'(*]`,
      '^[│█]$',
      noticeRow,
      '^ {2,3}[╔╗╚╝═║█▄▀▟▜▛▙▲▼╭╰│]',
    ],
  },
  ghost: { looks: ['dim', 'grey'], texts: ['^ *Type your message or\\s+@path'], plainTexts: [] },
};

const forms: readonly ScreenRule[] = [
  form('trust', 'trust', 40, '\\b[Tt]rust\\b'),
  form('sign-in', 'sign-in', 40, 'Connect a Provider|authenticat|[Ss]ign in|API [Kk]ey'),
  form('plan', 'plan', 30, '\\bkeep planning\\b|\\bplan\\b.*\\bproceed\\b'),
  form('permission', 'permission', 10, 'allow (?:once|always)|\\(esc\\)'),
  form('selection', 'selection', 0),
  {
    id: 'qwen/confirmation',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'permission',
    all: [{ in: 'tail', last: 1, row: '^ {0,2}\\S? ?Waiting for user confirmation' }],
    none: [{ in: 'composer', is: 'present' }],
  },
  // In a short window, only the mark of a choice remains in its box.
  cut('cut-sign-in', 'sign-in', 40, [{ in: 'tail', text: 'Connect a Provider|Access Method|API [Kk]ey' }]),
  cut('cut-form', 'selection', 0, []),
  {
    id: 'qwen/title-blocked',
    priority: rank.witness,
    state: 'AGENT_STATE_WAITING',
    reason: 'blocked',
    all: [
      { in: 'title', row: '^✳' },
      { in: 'screen', is: 'present' },
    ],
    none: [{ in: 'composer', is: 'present' }, lookalike],
  },
];

const turns: readonly ScreenRule[] = [
  {
    id: 'qwen/status-row',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', last: 8, row: '^ {0,2}[\\u2800-\\u28ff] +\\S' },
      { in: 'live', last: 8, row: '^ {0,2}[^\\w\\s]{1,3} +\\S.*\\((?:.*[ ,])?esc to cancel(?:,.*)?\\)' },
      { in: 'live', last: 8, row: '^ {1,5}\\((?:[^()]*[ ,·])?esc to cancel\\b[^()]*\\)$' },
      { in: 'footer', row: '^ {1,2}Enter to steer\\b' },
    ],
  },
  {
    id: 'qwen/title-working',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'title', row: titleSpinner },
      { in: 'screen', is: 'present' },
    ],
  },
];

const rests: readonly ScreenRule[] = [
  {
    id: 'qwen/history-search',
    priority: rank.viewer,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'viewer',
    all: [{ in: 'tail', last: 8, row: '^(?:│ )?\\(r:\\) ' }],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'qwen/disagrees',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'disagreement',
    all: [
      { in: 'title', row: '^✳' },
      { in: 'composer', is: 'present' },
    ],
  },
  {
    id: 'qwen/shell-mode',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'draft',
    all: [{ in: 'prompt', row: '^(?:│ )?!' }],
  },
  unknownTitle('qwen'),
  {
    id: 'qwen/unanswered',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'transition',
    all: [{ in: 'turn', is: 'present' }],
    none: [{ in: 'turn', row: '^ {0,2}[^\\s>]|^ {2}> /(?:arena|rewind|clear|vim)(?: |$)' }],
  },
  {
    id: 'qwen/exiting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exiting',
    all: [{ in: 'footer', text: 'Press \\S+ again to (?:exit|quit)' }],
  },
  ...failureRules('qwen', '✕ (?:\\[API )?Error\\b'),
  {
    id: 'qwen/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How Qwen Code's screens are read. */
export const qwen: HarnessScreens = { harness: 'qwen', layout, rules: [...cliRules, ...forms, ...turns, ...rests] };

/** A form of Qwen: its shape alone makes it WAITING, and the words only name its kind. */
function form(name: string, reason: string, above: number, words?: string): ScreenRule {
  return {
    id: `qwen/${name}`,
    priority: rank.form + above,
    state: 'AGENT_STATE_WAITING',
    reason,
    all: [{ in: 'form', is: 'present' }, ...(words === undefined ? [] : [{ in: 'form' as const, text: words }])],
    none: [{ in: 'composer', is: 'present' }],
  };
}

/** A form whose box ends the screen, with a mark in it but no complete choice. */
function cut(name: string, reason: string, above: number, words: readonly ScreenCondition[]): ScreenRule {
  return {
    id: `qwen/${name}`,
    priority: rank.form + above,
    state: 'AGENT_STATE_WAITING',
    reason,
    all: [
      { in: 'tail', last: 1, row: '^ {0,4}[└╰]─' },
      { in: 'tail', last: 8, row: '^ {0,4}│ +[›❯●](?: +\\S.*| +|)│' },
      ...words,
    ],
    none: [{ in: 'composer', is: 'present' }, lookalike, leftBehind],
  };
}
