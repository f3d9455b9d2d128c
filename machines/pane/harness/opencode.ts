import type { HarnessScreens, ScreenCondition, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import { cliRules, empty, footerWords, rank, unknownTitle, wordStart, workingRow } from './common.ts';
import { failureRules } from './failures.ts';

/** The start page's last row where it is painted over a row of the composer. */
const painted = '^ *[~/]\\S*.*[ ▀]\\d+\\.\\d+\\.\\d+$';

/** The start page, with nothing typed: nothing was sent from it, so no work can be cut off. */
const startPage: ScreenCondition = {
  in: 'screen',
  text: '[█▀]▀{3} (?:┃ )+Ask anything(?:…|\\.{3})[^▀]* (?:~|/)\\S*.*[ ▀]\\d+\\.\\d+\\.\\d+(?: |$)',
};

/**
 * OpenCode, and its `--mini` screen. The composer is a block of `┃` rows closed by `╹▀`; a live form is a block without
 * that row. Options carry no mark in plain text, so a form is known by its `△` or by its row of keys.
 */
const layout: ScreenLayout = {
  composers: [
    { kind: 'barred', bar: '^┃ {0,2}', bottom: '^( *)╹▀+', base: '^┃ {2}\\S' },
    // A theme without backgrounds leaves the closing row blank: the row of agent and model is the last one.
    {
      kind: 'framed',
      top: '^ *┃$',
      prompt: '^ *┃(?: {1,2}|$)',
      more: '^ *┃',
      bottom: '^ *┃ {2}\\p{Lu}\\p{L}*(?: \\([^()]*\\))? ?· ?\\S',
    },
    // In a short window, the start page paints its last row, with the folder and the version, over the composer's.
    { kind: 'framed', top: '^ *┃$', prompt: '^ *┃(?: {1,2}|$)', more: '^ *┃', bottom: painted },
    { kind: 'seated', bottom: '^ [A-Z]{3,}(?: |$).*(?:ctrl\\+p|esc .*interrupt)' },
  ],
  forms: [{ kind: 'block', row: '^ *┃' }],
  transcript: '^(?: *[▣△] |\\S)',
  // Blocks of prompts and errors, and the sidebar next to them.
  live: '^ *┃|^ {60,}\\S|^$',
  known: {
    ends: ['^ *▣ .* · (?:\\d[\\dhms. ]*s|interrupted)(?: |$)', '^ *(?=.*[▀▄])[█▀▄][█▀▄ ]*$'],
    rows: [`^ *(?!${workingRow})(?:${wordStart}|[┃█▀▄▣])`],
    signs: '▣',
  },
  whole: true,
  ghost: { looks: ['dim', 'grey'], texts: ['^Ask anything(?:…|\\.\\.\\.)'], plainTexts: [] },
};

const forms: readonly ScreenRule[] = [
  {
    id: 'opencode/permission',
    priority: rank.form + 10,
    state: 'AGENT_STATE_WAITING',
    reason: 'permission',
    all: [{ in: 'form', row: '^ *┃ +△ ?\\S' }],
  },
  {
    id: 'opencode/question',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [
      {
        in: 'form',
        last: 4,
        row: '^ *┃.*(?:\\benter (?:confirm|submit|toggle)|\\besc dismiss|[⇆↕].*\\b(?:tab|select)\\b)',
      },
    ],
  },
  {
    // In a short window, its row of keys is cut off.
    id: 'opencode/cut-question',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [
      { in: 'form', text: '┃ 1\\. \\S.*┃ 2\\. \\S|\\? (?:┃ )+1\\. \\S' },
      { in: 'screen', last: 1, row: '^ *┃' },
    ],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    id: 'opencode/mini-form',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'permission',
    all: [{ in: 'tail', last: 1, row: '⇆ select|enter (?:confirm|submit|toggle)|esc (?:reject|dismiss)' }],
    none: [{ in: 'composer', is: 'present' }],
  },
];

/** The first row of a dialog: its title, and how it is left. */
const dialogTitle = '(?:^| {2})(\\S+(?: \\S+){0,9}) {6,}esc(?:/enter)?(?: {2}|$)';

const dialogs: readonly ScreenRule[] = [
  {
    id: 'opencode/command-palette',
    priority: rank.form + 10,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'menu',
    all: [{ in: 'screen', row: '(?:^| {2})Commands {6,}esc(?: {2}|$)' }],
  },
  {
    id: 'opencode/dialog',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'menu',
    all: [{ in: 'screen', row: dialogTitle, look: 'bold' }],
  },
  {
    id: 'opencode/plain-dialog',
    priority: rank.viewer,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'menu',
    all: [{ in: 'screen', is: 'present' }],
    any: [
      { in: 'screen', text: '\\S esc (?:┃ )*Search\\b' },
      { in: 'screen', row: ' {6}esc/enter(?: {2}|$)' },
    ],
    none: [{ in: 'screen', row: dialogTitle, look: 'bold' }],
  },
];

/** The words of an error that ended a turn. It is a block right below the prompt, like another prompt. */
const errorWords =
  '[Ee]rror|[Ff]ail|[Dd]enied|[Rr]efused|[Ii]nvalid|[Uu]n(?:authorized|available|expected)|[Ff]orbidden|[Ll]imit|[Qq]uota|[Tt]oo [Mm]any|[Oo]verloaded|[Tt]imed? ?out|[Bb]ad [Rr]equest|not (?:found|supported)';

const others: readonly ScreenRule[] = [
  unknownTitle('opencode'),
  footerWords('opencode'),
  {
    // The last block is a prompt without an answer.
    id: 'opencode/unanswered',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'transition',
    all: [{ in: 'live', text: '^[^┃]*┃ ┃ (?!┃)(?:(?!┃ ┃ ┃).)*$' }],
    any: empty,
    // An undone turn is also a block.
    none: [{ in: 'live', row: '^ *┃ +\\S.* or /redo to restore' }],
  },
  ...failureRules('opencode', `.*┃ ┃ ┃ (?=[^┃]*(?:${errorWords}))`),
  {
    id: 'opencode/retrying',
    priority: rank.status + 10,
    state: 'AGENT_STATE_THINKING',
    reason: 'retrying',
    all: [
      { in: 'composer', is: 'present' },
      { in: 'footer', text: '(?:[■⬝]{3}|\\[⋯\\]) .*\\[retrying\\b|\\[retrying\\b.*\\besc\\b' },
    ],
  },
  {
    id: 'opencode/interrupt-hint',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'footer', text: '\\besc (?:again to )?interrupt\\b' },
      { in: 'footer', row: '^ +(?:[A-Z]+ +)?[■⬝]{3}' },
    ],
  },
  {
    // In a narrow pane, little of the spinner remains, and the interrupt hint is wrapped.
    id: 'opencode/narrow-retrying',
    priority: rank.status + 10,
    state: 'AGENT_STATE_THINKING',
    reason: 'retrying',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'footer', text: '(?:[■⬝]|\\[⋯\\])(?: .*)?\\[ ?retry|\\[ ?retrying (?:in|attempt)\\b|\\battempt #\\d' },
      // The words may be painted over what turns.
      { in: 'footer', text: '^[^■⬝[]{0,60}[■⬝][^[]{0,200}\\[ ?retry' },
    ],
  },
  {
    // What closes the composer is drawn in an unknown way, and so may be what shows work.
    id: 'opencode/unknown-frame',
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [{ in: 'footer', row: '([^\\s\\p{L}\\p{N}])\\1{7}' }],
    any: empty,
    none: [startPage],
  },
  {
    id: 'opencode/unknown-footer',
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [
      {
        in: 'footer',
        row: '(?:^| )\\[[^\\p{L}\\p{N}\\s]\\](?: |$)|^(?=.*\\bctrl\\+p\\b)(?:.* )?~(?: |$)|(?:^ *| {2}| · )(?:[~/] \\S|[^\\p{L}\\p{N}\\s/~\\\\.…([$•⊙△●⚠○┃╹✓✔⚙⎇★◆-])',
      },
    ],
    any: empty,
  },
  {
    // In a narrow window, `tab agents` is painted over the interrupt hint, and of an error's retry little is left.
    id: 'opencode/painted-footer',
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [{ in: 'footer', row: '\\be(?:sc?)?tab\\b|\\[[^\\]\\d]{1,40}\\d+ ?\\p{L}{1,4}(?:[ \\]]|$)' }],
    any: empty,
  },
  {
    id: 'opencode/no-provider',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'sign-in',
    all: [
      { in: 'composer', is: 'present' },
      { in: 'footer', text: '● Tip Run /connect to add an AI\\b' },
    ],
  },
  {
    // After the leader key, the composer's bar and its agent lose their colour, and the next key is a command.
    id: 'opencode/leader',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'menu',
    all: [
      { in: 'prompt', row: '^ *(┃)', look: 'grey' },
      { in: 'screen', last: 8, row: '^ *┃ {2}(\\p{Lu}\\p{L}*) +· ?\\S', look: 'grey' },
    ],
    any: empty,
  },
  {
    // The row with the agent is painted over.
    id: 'opencode/leader-painted',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'menu',
    all: [{ in: 'prompt', row: '^ *(┃)', look: 'grey' }, startPage],
    any: empty,
  },
  {
    id: 'opencode/shell-mode',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'draft',
    all: [{ in: 'footer', text: '\\besc exit shell mode\\b' }],
    any: empty,
  },
  {
    // In a short window, the start page paints its last row over the composer.
    id: 'opencode/covered-composer',
    priority: rank.draft,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [{ in: 'screen', row: '^ *┃ {2}Ask anything\\b|^ *╹▀{8}|[ ▀]\\d+\\.\\d+\\.\\d+$' }],
    none: [{ in: 'composer', is: 'present' }],
  },
  {
    // A short window cuts off the rows that would show work.
    id: 'opencode/cut-footer',
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
    none: [{ in: 'footer', row: '^ *[^\\s┃]' }, startPage],
  },
  {
    id: 'opencode/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How OpenCode's screens are read. */
export const opencode: HarnessScreens = {
  harness: 'opencode',
  layout,
  rules: [...cliRules, ...forms, ...dialogs, ...others],
};
