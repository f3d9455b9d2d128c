import { exitedRule } from '#contract/pane/reading.ts';
import type { ScreenCondition, ScreenRule } from '#contract/pane/screen-rule.ts';

/** The priority of each kind of finding: a pane that is gone hides a viewer, a viewer hides a form, and so on. */
export const rank = {
  gone: 1000,
  viewer: 900,
  form: 800,
  status: 700,
  witness: 680,
  background: 650,
  unsure: 600,
  rest: 500,
  draft: 400,
} as const;

/** Commands that are a shell: a pane that shows one if a CLI should be has lost its CLI. */
export const shells = '^-?(?:ba|z|da|fi|k)?sh$';

/** When a limit ends, as it is in a sentence: `resets 3pm (UTC)`, `try again in 2 hours 5 minutes`. */
export const resetTime =
  '\\b(?:[Rr]esets?|[Tt]ry again|[Aa]vailable again)(?: (?:at|in|on|after))* ([^.·|]{1,60}?)(?: *$| *[.·|│])';

/** A shell's prompt at the left edge: whatever is above it was left behind. */
export const strayPrompt =
  '^\\S[^·|│]*[$#❯➜](?: |$)|^[$#❯➜](?: |$)|^\\S+ % |^[\\w.-]+@[\\w.-]+(?: \\S+)? ?[%>](?: |$)|^PS [A-Z~/][^ ]*>(?: |$)';

/** A logo of blocks, which a CLI paints as it starts: whatever is above it was left behind. */
export const logo = '^ {0,6}(?:[▐▝▘▗][▛▜▟▙█▀▄]|[█▄]{2,6} |▝▜▄)';

/** A shell's prompt is the last row: the CLI is gone, though no command says so, and what it asked is history. */
export const leftBehind: ScreenCondition = { in: 'tail', last: 1, row: strayPrompt };

/** How a row of text begins, as a regular expression's class: no sign that could turn, or show that something runs. */
export const wordStart =
  '[\\p{L}\\p{N}\\p{Emoji_Presentation}"\'`([{}\\])<>#*|$/~+=@%&!?:;,_\\\\^.\\-–—“„«‘¿¡┌├└│╰╭─✓✔✗✘☐☑☒•◦→←↑↓↳⚠ℹ]';

/** A row that only something at work has: a sign before words that end in dots, or a time that is counted up. */
export const workingRow =
  '[^\\p{L}\\p{N}\\s]{1,3} +\\S.*(?:…|\\.\\.\\.)(?: *\\([^()]*\\))?$|.*\\((?:\\d+[hm] ?){0,3}\\d+s(?: [^()]*)?\\)$|.*(?:…|\\.\\.\\.) *\\([^()]*\\)$';

/** A row that any CLI may show as a notice: its sign, and no words of something that goes on. */
export const noticeRow = `^ {0,3}(?! {0,3}${workingRow})[⚠ℹ✓✔✗✘☐☑☒⧉★💡✨🎉🔔🔒📝📢]`;

/** A spinner at the head of a title. */
export const titleSpinner = '^[\\u2800-\\u28ff◐◓◑◒]';

/** The composer is there and nothing is typed in it. */
export const empty: ScreenCondition[] = [
  { in: 'composer', is: 'blank' },
  { in: 'composer', is: 'ghost' },
];

/** Something looks like a composer, but like no known one: everything above it is history. */
export const lookalike: ScreenCondition = { in: 'lookalike', is: 'present' };

/** How a turn is interrupted, as the footers of several CLIs say it. */
export const interruptHint = '(?:esc|ctrl\\+c) to (?:interrupt|stop)\\b';

/** A person's own status line that has the words of such a hint: it stands above the row of the mode, which lacks them. */
export const statusLine = `${interruptHint}(?!.*${interruptHint}).* (?:⏵⏵|⏸) [a-z ]+ on\\b`;

/** A key named in a footer, save those that only edit or leave. */
const unknownHint =
  '(?:^| {2}|[·•|(] ?|\\] )(?:(?:[Ee]sc(?:ape)?\\b|⎋)(?! (?:esc )?(?:again )?(?:to )?(?:edit|clear|undo|rewind|go back|exit|quit|close|unfocus)\\b)|[Pp]ress \\S{1,8} to (?!exit|quit|edit)|\\w: \\w+\\))';

/** Of any pane: it is dead, or a person has put it into a mode that hides the live screen. */
export const goneRules: readonly ScreenRule[] = [
  {
    id: 'pane/dead',
    priority: rank.gone,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exited',
    all: [{ in: 'pane', row: '^dead$' }],
  },
  {
    id: 'pane/mode',
    priority: rank.gone,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'mode',
    all: [{ in: 'pane', row: '^mode$' }],
  },
];

/** Of every CLI: its shell came back, its own status sequences, and a draft in its composer. */
export const cliRules: readonly ScreenRule[] = [
  ...goneRules,
  {
    id: exitedRule,
    priority: rank.gone,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exited to a shell',
    all: [{ in: 'command', row: shells }],
  },
  {
    id: 'status/working',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'status', row: '(?:^|[;:])state=working\\b' },
      { in: 'screen', is: 'present' },
    ],
  },
  {
    id: 'status/blocked',
    priority: rank.witness,
    state: 'AGENT_STATE_WAITING',
    reason: 'blocked',
    all: [
      { in: 'status', row: '(?:^|[;:])state=blocked\\b' },
      { in: 'screen', is: 'present' },
    ],
    none: [{ in: 'composer', is: 'present' }, lookalike],
  },
  {
    id: 'status/disagrees',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'disagreement',
    all: [
      { in: 'status', row: '(?:^|[;:])state=blocked\\b' },
      { in: 'composer', is: 'present' },
    ],
  },
  {
    id: 'progress/busy',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'progress', row: '^[13](?:;|$)' },
      { in: 'composer', is: 'present' },
    ],
  },
  {
    // Rest needs proof: every row above the empty composer must be known.
    id: 'composer/unknown-row',
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [{ in: 'unknown', row: '\\S' }],
    any: [...empty],
    none: [{ in: 'status', row: '(?:^|[;:])state=(?:idle|done|ready)\\b' }],
  },
  {
    // A key that the CLI's footer names, and that is not known to do nothing to a turn.
    id: 'composer/unknown-hint',
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [{ in: 'footer', row: unknownHint }],
    any: [...empty],
    none: [{ in: 'footer', text: statusLine }],
  },
  {
    // Letters are commands there, and no prompt.
    id: 'composer/vim-normal',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'disabled',
    all: [{ in: 'footer', row: '(?:^|[\\s[·])(?:-- |Vim: ?|\\[)(?:N(?:ORMAL|ormal)|V(?:ISUAL|isual))\\b' }],
    any: [...empty],
  },
  {
    id: 'composer/draft',
    priority: rank.draft,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'draft',
    all: [{ in: 'composer', is: 'draft' }],
  },
];

/**
 * A page, a picker or a dialog that floats over the transcript while the empty composer stands below: what is typed goes
 * to it. Its row of keys is far from the left edge, where no answer begins, and ends by how it is left.
 */
export function floatingPage(harness: string): ScreenRule {
  return {
    id: `${harness}/floating`,
    priority: rank.unsure - 40,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'menu',
    all: [
      {
        in: 'screen',
        row: '^(?: {8,}|.{6,} {2})(?:[^\\s()]{1,20} ){0,20}(?:\\S/)?[Ee]sc(?:ape)?(?: to(?: go)?|(?: to|:)? (?:close|cancel|(?:go )?back|exit|dismiss|quit))\\b[^\\p{L}]*$',
      },
    ],
    any: [...empty],
  };
}

/** A title with a sign at its head that is not known: `rest` are those that it has at rest, as in a class of an expression, `ended` what proves rest all the same. */
export function unknownTitle(harness: string, rest = '', ended: readonly ScreenCondition[] = []): ScreenRule {
  return {
    id: `${harness}/unknown-title`,
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [{ in: 'title', row: `^[^\\p{L}\\p{N}\\s/~.,:(\\[{<>"'_$@#|${rest}-]` }],
    any: [...empty],
    none: [...ended],
  };
}
