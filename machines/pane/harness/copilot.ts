import type { HarnessScreens, ScreenCondition, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import {
  cliRules,
  empty,
  footerWords,
  leftBehind,
  noticeRow,
  rank,
  strayPrompt,
  unknownTitle,
  workingRow,
} from './common.ts';
import { failureRules } from './failures.ts';

/** The row of tabs at the top of newer versions, which have a footer in every whole frame. */
const tabs = '^ (?:\\[[^\\]]+\\] {2}| Current {3}Sessions\\b)';

/**
 * GitHub Copilot CLI. The composer is `❯` between two rules; a live form is a box in its place. While a turn runs the
 * footer, in older versions the row above the composer, begins with a turning circle. The title carries no state.
 */
const layout: ScreenLayout = {
  composers: [
    { kind: 'framed', top: '^ ?──', prompt: '^ ?[❯>!](?: |$)', more: '^(?: {2}|$)', bottom: '^ ?──' },
    { kind: 'framed', top: '^╭─', prompt: '^│ [❯>!](?: |$)', more: '^│', bottom: '^╰─' },
    { kind: 'framed', top: '^╻▄{4}', prompt: '^┃ ?', more: '^┃', bottom: '^╹▀{4}' },
  ],
  forms: [{ kind: 'marked', marks: '❯>›', head: '^ ?(?:╭─|──)', sealed: true }],
  transcript: '^ [✗✘✓✔!$] |^ [●○] (?!.*[Ee]sc\\b)',
  echo: '^ {0,2}❯ \\S',
  live: '^(?: {2}|$| ?[~/]| (?:to )?(?:cancel|stop|interrupt)\\)?$)',
  stale: `${strayPrompt}|${tabs}`,
  known: {
    signs: '[●○⌄⌃❯]',
    ends: [tabs],
    rows: [
      '^ {2}',
      '^ [✗✘✓✔!$●] ',
      '^ ○ (?!.*(?:…|\\.{3}))',
      '^ [⌄⌃›] Thought for \\d',
      '^ ?(?:[❯╭│╰├└─/┃]|~(?:/|$| +\\[)|[▄▀]{4}|\\[⎇ )',
      `^ ?(?!${workingRow})[\\p{L}\\p{N}(]`,
      noticeRow,
    ],
  },
  ghost: {
    looks: ['dim', 'grey'],
    texts: [],
    plainTexts: ['^(?:Enter|Type) @ to mention files', '^Ask (?:Copilot|anything)'],
  },
};

/** The keys of a picker below what looks like a composer, however they are wrapped. */
const pickerKeys: ScreenCondition = {
  in: 'footer',
  text: '↑/↓ to .*\\b[Ee]nter to (?:select|confirm|submit)\\b',
};

const forms: readonly ScreenRule[] = [
  form('trust', 'trust', 40, '\\b[Tt]rust\\b'),
  form('sign-in', 'sign-in', 40, '\\b(?:log|sign) ?in(?:to)?\\b|API key'),
  form('permission', 'permission', 10, '\\b[Dd]o you want to |\\b[Aa]llow\\b|No, and tell Copilot'),
  form('selection', 'selection', 0),
  {
    id: 'copilot/keys',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [
      { in: 'tail', last: 1, row: '^ ?(?:╰─|──)' },
      // In a narrow window the words are wrapped, with the sides of the box between them.
      {
        in: 'tail',
        last: 3,
        text: '[│ (·][Ee]nter (?:to )?[│ ]{0,90}(?:select|submit|confirm|accept|continue)\\b',
      },
    ],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'copilot/sign-in-page',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'sign-in',
    all: [{ in: 'tail', last: 8, text: 'one-time code|[Ww]aiting for authorization' }],
    none: [{ in: 'composer', is: 'present' }, leftBehind],
  },
];

const turns: readonly ScreenRule[] = [
  {
    id: 'copilot/footer',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'footer', row: '^ {0,2}[∙○◎◉●◐◓◑◒\\u2800-\\u28ff] +\\S' },
      {
        in: 'footer',
        row: '^(?!.*(?:\\b[Ee]nter\\b|[↑↵])).*\\b[Ee]sc (?:again )?(?:to )?(?:interrupt|cancel|stop)\\b',
      },
    ],
    none: [pickerKeys],
  },
  {
    id: 'copilot/status-row',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      {
        in: 'live',
        last: 4,
        row: '^ {0,2}(?:[∙◎◉] \\S|[○●] \\S[^()]*\\((?:[^()]* )?[Ee]sc(?: [^()]*)?$|[∙○◎◉] \\S.*\\b[Ee]sc (?:to )?(?:cancel|stop|interrupt)\\b|● \\S+(?: \\S+){0,4} \\((?:[^()]* )?[Ee]sc to (?:cancel|stop)\\b[^()]*\\) *┃?$)',
      },
    ],
  },
];

const rests: readonly ScreenRule[] = [
  // Its title begins with this sign at any time.
  unknownTitle('copilot', '⠂'),
  footerWords('copilot'),
  {
    id: 'copilot/signed-out',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'sign-in',
    all: [{ in: 'since', last: 5, row: '^\\S.*/login\\b' }],
  },
  {
    id: 'copilot/shell-mode',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'draft',
    all: [{ in: 'prompt', row: '^(?:│ )? ?!' }],
  },
  {
    id: 'copilot/unanswered',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'transition',
    all: [{ in: 'turn', is: 'present' }],
    none: [{ in: 'turn', row: '^ ?[^\\s❯/~]|^ ?─{3}' }],
  },
  {
    id: 'copilot/exiting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exiting',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'footer', text: '\\b[Cc]trl ?\\+ ?[cd] again to (?:exit|quit)\\b' },
      { in: 'live', last: 3, row: '\\b[Cc]trl ?\\+ ?[cd] again to (?:exit|quit)\\b' },
    ],
  },
  {
    // While a turn runs, its footer begins with a spinner.
    id: 'copilot/unknown-footer',
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [
      {
        in: 'footer',
        row: '(?:^ *| {2}(?!·)| · )(?:~(?![/\\s]*(?:/|$))|/ (?!c)|[^\\p{L}\\p{N}\\s/~←↑→@?#!$(["\'.+:│|•✓✔⎇⏸⏵▸-]) *\\S',
      },
    ],
    any: empty,
  },
  {
    id: 'copilot/picker',
    priority: rank.unsure + 10,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'menu',
    all: [pickerKeys],
  },
  {
    // The same if a search field replaces the composer.
    id: 'copilot/search-picker',
    priority: rank.unsure + 10,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'menu',
    all: [{ in: 'tail', last: 3, text: '↑/↓ to .*\\b[Ee]nter to (?:select|confirm|submit)\\b' }],
    none: [{ in: 'composer', is: 'present' }, leftBehind],
  },
  {
    // After the first key of a chord: the next key belongs to it.
    id: 'copilot/chord',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'menu',
    all: [{ in: 'footer', row: '^ ?/ commands · ctrl\\+\\S \\S|(?:^ *| {2}|[·│] )ctrl\\+[a-z] [a-z]+ [a-z]+' }],
    any: empty,
  },
  ...failureRules('copilot', '[✗✘] '),
  {
    id: 'copilot/rest-without-footer',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
    none: [
      { in: 'footer', is: 'present' },
      { in: 'screen', row: tabs },
    ],
  },
  {
    id: 'copilot/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'footer', is: 'present' }],
    any: empty,
  },
];

/** How Copilot's screens are read. */
export const copilot: HarnessScreens = {
  harness: 'copilot',
  layout,
  rules: [...cliRules, ...forms, ...turns, ...rests],
};

/** A form of Copilot: a box, or marked options if no composer is; the words only name its kind. */
function form(name: string, reason: string, above: number, words?: string): ScreenRule {
  return {
    id: `copilot/${name}`,
    priority: rank.form + above,
    state: 'AGENT_STATE_WAITING',
    reason,
    all: [{ in: 'form', is: 'present' }, ...(words === undefined ? [] : [{ in: 'form' as const, text: words }])],
    any: [
      { in: 'form', row: '^ ?(?:╭─|──)' },
      { in: 'composer', is: 'absent' },
    ],
  };
}
