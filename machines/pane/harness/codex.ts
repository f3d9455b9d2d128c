import type { HarnessScreens, ScreenCondition, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import {
  cliRules,
  empty,
  floatingPage,
  leftBehind,
  lookalike,
  noticeRow,
  rank,
  titleSpinner,
  unknownTitle,
  workingRow,
} from './common.ts';
import { failureRules } from './failures.ts';

/** What a row of work says after its sign, which an update may make one that errors have now. */
const underWay = '[^()]*(?:…|\\.{3})$|.{0,100}\\((?:\\d+[hm] ?){0,3}\\d+s(?:\\)| [•·])';

/** The keys that answer a question of the model. */
const answerKeys = '^ {2}(?:\\S.* \\| )?[Ee]nter:? (?:to )?submit (?:answer|all)\\b';

/**
 * Codex. The composer is a bare `›` with a footer below; a live form takes its place. While text streams the screen
 * looks at rest, and only the title's spinner or the status sequence shows work.
 */
const layout: ScreenLayout = {
  composers: [
    { kind: 'open', prompt: '^›(?: (?!\\d+[.)] |\\[.\\] )|$)', more: '^  ', left: answerKeys },
    {
      kind: 'open',
      prompt: '^[›▌] ',
      more: '^ ',
      footer: '^ {1,2}(?!.*\\b(?:enter|esc)\\b)(?:\\S.*(?: · |context left)|⏎ send)',
    },
  ],
  forms: [{ kind: 'marked', marks: '›>❯', sealed: false }],
  transcript: '^[•■✗✘✔] ',
  echo: '^› (?!\\d+[.)] |\\[.\\] )\\S',
  live: '^(?: {2}|$|▌ ?$|• (?:Messages to be|Queued) )',
  known: {
    signs: '[■›🔌]',
    ends: ['^ {1,2}Worked for ', '^─+ ?Worked for ', `^■ (?!${underWay})`, '^ {2}>_ ', '^╰─'],
    rows: [
      '^ (?! [^\\s•◦└↳(].* \\((?:\\d+[hm] ?){0,3}\\d+s(?:[ )].*)?$)',
      `^[•◦] (?!${workingRow}|.*\\((?:\\d+[hm] ?){0,3}\\d+s(?: [•·]|\\) · ))`,
      `^[✗✘✔✓⚠ℹ╭│╰─▌] ?|^■ (?!${underWay})`,
      // One of its own commands, and the output.
      '^/[a-z]|^🔌 ',
      `^(?!${workingRow})[\\p{L}\\p{N}({["'\`]`,
      noticeRow,
    ],
  },
  stale: '^[^\\s↑↓]|^ +🔒|^ {2}(?:Question|Field) \\d+/\\d+',
  ghost: {
    looks: ['dim'],
    texts: [],
    plainTexts: [
      '^Ask Codex to do anything$',
      '^(?:Explain this codebase|Summarize recent commits|Implement \\{feature\\})$',
      '^(?:Find and fix a bug|Write tests|Improve documentation)(?: in| for)? @filename$',
      '^(?:Run /review on my current changes|Use /skills to list available skills)$',
    ],
  },
};

/** The row that ends a turn. */
const mark = '^ {1,2}Worked for .*\\d[hms] • ';

const forms: readonly ScreenRule[] = [
  form('trust', 'trust', 40, '[Tt]rust (?:this|the)|to work in this folder'),
  form('sign-in', 'sign-in', 40, '[Ss]ign in|API key'),
  form('question', 'question', 20, 'submit (?:answer|all)|unanswered'),
  form('plan', 'plan', 30, 'Implement this plan|stay in Plan mode'),
  form('permission', 'permission', 10, '[Ww]ould you like to|1\\. Yes.* \\d\\. No|tell Codex what to do'),
  form('menu', 'menu', 5, '[Ee]nter (?:to )?(?:select|continue)'),
  form('selection', 'selection', 0),
  {
    id: 'codex/sign-in-page',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'sign-in',
    all: [
      { in: 'tail', text: '(?:signing in|device code|one-time code)' },
      { in: 'tail', last: 1, text: '[Pp]ress \\S+ to ' },
    ],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    // A short window leaves out its keys, and an error is below them.
    id: 'codex/sign-in-words',
    priority: rank.form + 40,
    state: 'AGENT_STATE_WAITING',
    reason: 'sign-in',
    all: [
      { in: 'tail', row: '^ {2}Welcome to Codex\\b' },
      { in: 'tail', text: 'Finish signing in|[Ss]ign in with (?:ChatGPT|Device Code)|one-time code' },
    ],
    none: [{ in: 'composer', is: 'present' }, lookalike, leftBehind],
  },
  {
    // A short window leaves out what to choose from.
    id: 'codex/trust-words',
    priority: rank.form + 40,
    state: 'AGENT_STATE_WAITING',
    reason: 'trust',
    all: [
      { in: 'tail', last: 8, text: 'Do you trust the contents of this directory\\? Working with untrusted contents' },
    ],
    none: [{ in: 'composer', is: 'present' }, lookalike, leftBehind],
  },
  {
    id: 'codex/question-keys',
    priority: rank.form + 20,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [{ in: 'tail', last: 2, row: answerKeys }],
    none: [{ in: 'composer', is: 'present' }, lookalike, leftBehind],
  },
  {
    id: 'codex/keys',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'selection',
    all: [
      {
        in: 'tail',
        last: 2,
        text: '\\b[Ee]nter:? (?:to )?(?!to |edit)\\w+|[Pp]ress t to trust|\\[a\\] \\w+.*\\[[cdr]\\] \\w+',
      },
    ],
    none: [{ in: 'composer', is: 'present' }, lookalike, leftBehind],
  },
  {
    id: 'codex/title-blocked',
    priority: rank.witness,
    state: 'AGENT_STATE_WAITING',
    reason: 'blocked',
    all: [
      { in: 'title', row: '^\\[ [!.] \\] Action Required' },
      { in: 'screen', is: 'present' },
    ],
    none: [{ in: 'composer', is: 'present' }, lookalike],
  },
];

const turns: readonly ScreenRule[] = [
  {
    id: 'codex/status-row',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', row: '^[•◦·] \\S.* \\((?:\\d+[hm] ?){0,3}\\d+s(?: • [^()]*(?:\\)(?: · .*)?|…)?|…)$' },
      { in: 'live', row: '^ {2}[^\\s•◦└↳(][^()]* \\((?:\\d+[hm] ?){0,3}\\d+s • [^()]*\\)(?: · .*)?$' },
      { in: 'live', row: '^(?:[^\\s•◦■›].*)?\\binterrupt\\)$' },
      { in: 'live', row: '^▌ (?:[•◦] )?\\S.* \\((?:\\d+[hm] ?){0,3}\\d+s • ' },
      { in: 'live', row: '^[•◦] (.*…)$', look: 'dim' },
      // A row without the interrupt hint, which not every kind of work has.
      {
        in: 'live',
        row: '^(?:[•◦·] | {2})(?:[A-Z][a-z]+ing\\b[^()]*|[^()]*(?:…|\\.{3})) \\((?:\\d+[hm] ?){0,3}\\d+s\\)$',
      },
      { in: 'live', row: '^(?:[•◦·] | {2})(?:[A-Z][a-z]+ in progress|Reconnecting to [a-z-]+)(?:…|\\.{3})$' },
    ],
    none: [{ in: 'live', row: '^(?:─+| {2})Worked for ' }],
  },
  {
    id: 'codex/barred-status-row',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'tail', last: 1, row: '^▌ • \\S.*\\(\\d[\\dhms ]*s • ' }],
  },
  {
    id: 'codex/background',
    priority: rank.background,
    state: 'AGENT_STATE_THINKING',
    reason: 'background',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', last: 3, row: '^ +[1-9]\\d* (?:background terminals? running|.* · /ps to )' },
      { in: 'live', last: 3, row: '^ +[1-9]\\d* .*· /ps\\b' },
      { in: 'footer', row: '\\b[1-9]\\d* background terminals? running' },
    ],
  },
  {
    id: 'codex/title-working',
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
    id: 'codex/disagrees',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'disagreement',
    all: [
      { in: 'title', row: '^\\[ [!.] \\] Action Required' },
      { in: 'composer', is: 'present' },
    ],
  },
  {
    id: 'codex/viewer',
    priority: rank.viewer,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'viewer',
    all: [{ in: 'screen', last: 3, text: '\\bq (?:to quit|close)\\b' }],
  },
  {
    id: 'codex/history-search',
    priority: rank.viewer,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'viewer',
    all: [{ in: 'footer', row: '^ {1,2}(?:reverse|forward|bck|fwd)-i-search:' }],
  },
  {
    id: 'codex/unanswered',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'transition',
    all: [{ in: 'turn', is: 'present' }],
    // A row like a footer shows that the prompt was an empty composer, left behind on the screen.
    none: [{ in: 'turn', row: '^(?:[^\\s›]| {1,2}Worked for | {1,2}(?:\\S.*(?: · |context left)|\\? for |⏎ send))' }],
  },
  {
    // At rest nothing is queued. An answer may quote it.
    id: 'codex/queued',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [{ in: 'live', row: '^• (?:Messages to be submitted|Queued follow-up)\\b' }],
    any: empty,
  },
  {
    id: 'codex/plain-status',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [
      { in: 'screen', is: 'plain' },
      { in: 'live', row: '^[•◦] .*…$' },
    ],
  },
  floatingPage('codex'),
  {
    // A page without choices, whose only row looks like a composer.
    id: 'codex/page',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'menu',
    all: [{ in: 'footer', last: 1, row: '^ {2}.* · esc (?:close|back|cancel|dismiss)$' }],
    any: empty,
  },
  unknownTitle('codex', '', [{ in: 'live', row: mark }]),
  unmarked('unmarked-end', { in: 'footer', text: '← for agents|f2 to view' }),
  unmarked('unmarked-last-end', { in: 'screen', row: mark }),
  {
    id: 'codex/disabled',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'disabled',
    all: [{ in: 'composer', row: '^Input disabled' }],
  },
  {
    id: 'codex/help',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'help',
    all: [{ in: 'footer', text: '/ for commands .*@ for file paths' }],
  },
  {
    id: 'codex/exiting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exiting',
    all: [{ in: 'footer', text: '(?:ctrl ?\\+ ?c|ctrl ?\\+ ?d) again to (?:quit|exit)' }],
  },
  {
    id: 'codex/reconnecting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [{ in: 'live', row: '^■ Connection lost\\. Attempting to reconnect' }],
  },
  {
    // It accepts no input before its footer names the model, and may still ask a question first.
    id: 'codex/starting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'starting',
    all: [{ in: 'footer', text: '^\\? for shortcuts$' }],
    any: empty,
  },
  ...failureRules('codex', `■ (?!Conversation interrupted|${underWay})`),
  {
    id: 'codex/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How Codex's screens are read. */
export const codex: HarnessScreens = { harness: 'codex', layout, rules: [...cliRules, ...forms, ...turns, ...rests] };

/**
 * A turn, or what fits of its answer, without the row with which newer versions end each turn: it may still be streaming,
 * and without title and status sequence nothing else shows that. `sign` identifies such a version.
 */
function unmarked(name: string, sign: ScreenCondition): ScreenRule {
  return {
    id: `codex/${name}`,
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [sign, { in: 'title', is: 'absent' }, { in: 'status', is: 'absent' }],
    any: [
      { in: 'turn', is: 'present' },
      { in: 'live', text: '\\S' },
    ],
    none: [
      { in: 'composer', is: 'draft' },
      { in: 'composer', is: 'absent' },
      { in: 'turn', row: `${mark}|^[■✗] ` },
      { in: 'live', row: `${mark}|^[■✗] |^ {2}>_ |^╰─` },
    ],
  };
}

/** A form of Codex: its shape alone makes it WAITING, and the words above it only name its kind. */
function form(name: string, reason: string, above: number, words?: string): ScreenRule {
  return {
    id: `codex/${name}`,
    priority: rank.form + above,
    state: 'AGENT_STATE_WAITING',
    reason,
    all: [...(words === undefined ? [] : [{ in: 'tail' as const, text: words }]), { in: 'form', is: 'present' }],
  };
}
