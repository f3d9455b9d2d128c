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

/** Names of shells. If one is in the foreground instead of a CLI, the CLI has exited. */
export const shells = '^-?(?:ba|z|da|fi|k)?sh$';

/** The time when a limit ends, as text: `resets 3pm (UTC)`, `try again in 2 hours 5 minutes`. */
export const resetTime =
  '\\b(?:[Rr]esets?|[Tt]ry again|[Aa]vailable again)(?: (?:at|in|on|after))* ([^.·|]{1,60}?)(?: *$| *[.·|│])';

/** The words that announce that time, which may be in a row of its own below the limit. */
export const resetWords = '(?:[^⎿●⏺]{0,160}?\\b(?:[Rr]esets?|[Tt]ry again|[Aa]vailable again)\\b[^⎿●⏺]{0,40})?';

/** A shell's prompt at the left edge: everything above it is history. */
export const strayPrompt =
  '^\\S[^·|│]*[$#❯➜](?: |$)|^[$#❯➜](?: |$)|^\\S+ % |^[\\w.-]+@[\\w.-]+(?: \\S+)? ?[%>](?: |$)|^PS [A-Z~/][^ ]*>(?: |$)';

/** A logo of block characters, which a CLI paints when it starts: everything above it is history. */
export const logo = '^ {0,6}(?:[▐▝▘▗][▛▜▟▙█▀▄]|[█▄]{2,6} |▝▜▄)';

/** A shell's prompt is the last row: the CLI has exited, even if no shell is in the foreground. */
export const leftBehind: ScreenCondition = { in: 'tail', last: 1, row: strayPrompt };

/**
 * A regular expression for the beginning of a row of text, without signs that could be a spinner or show work: no clock,
 * no arrow in a circle, no moon, and no tilde that stands alone.
 */
export const wordStart =
  '(?!~ |[⌚⌛⏩-⏳🌀🌑-🌘🔁-🔄🕐-🕧])[\\p{L}\\p{N}\\p{Emoji_Presentation}"\'`([{}\\])<>#*|$/~+=@%&!?:;,_\\\\^.\\-–—“„«‘¿¡┌├└│╰╭─✓✔✗✘☐☑☒•◦→←↑↓↳⚠ℹ]';

/** The `signs` of a CLI that begins no row with a sign: nothing matches it. */
export const noSigns = '(?!)';

/** A row that only work has: a sign before words that end in dots, or an elapsed time. */
export const workingRow =
  '[^\\p{L}\\p{N}\\s]{1,3} +\\S.*(?:…|\\.\\.\\.)(?: *\\([^()]*\\))?$|.*\\((?:\\d+[hm] ?){0,3}\\d+s(?: [^()]*)?\\)$|.*(?:…|\\.\\.\\.) *\\([^()]*\\)$';

/** A row that any CLI may show as a notice: its sign, and no words of ongoing work. */
export const noticeRow = `^ {0,3}(?! {0,3}${workingRow})[⚠ℹ✓✔✗✘☐☑☒⧉★💡✨🎉🔔🔒📝📢]`;

/** A spinner at the head of a title. */
export const titleSpinner = '^[\\u2800-\\u28ff◐◓◑◒]';

/** There is an empty composer. */
export const empty: ScreenCondition[] = [
  { in: 'composer', is: 'blank' },
  { in: 'composer', is: 'ghost' },
];

/** A row looks like an unknown composer: everything above it is history. */
export const lookalike: ScreenCondition = { in: 'lookalike', is: 'present' };

/** The interrupt hint in the footers of several CLIs. */
export const interruptHint = '(?:esc|ctrl\\+c) to (?:interrupt|stop)\\b';

/** A person's own status line with the words of such a hint: it is above the mode's row, which does not have them. */
export const statusLine = `${interruptHint}(?!.*${interruptHint}).* (?:⏵⏵|⏸) [a-z ]+ on\\b`;

/** A key named in a footer, except those that only edit or leave. */
const unknownHint =
  '(?:^ *| {2}|[·•|(] ?|\\] )(?:(?:\\[?[Ee]sc(?:ape)?\\b|⎋)(?! (?:esc )?(?:again )?(?:to )?(?:edit|clear|undo|rewind|go back|exit|quit|close|unfocus)\\b)|[Pp]ress \\S{1,8} to (?!exit|quit|edit)|\\w: \\w+\\))';

/** A row that is nothing but a hint how to interrupt and the time that has passed. */
const loneHint = '^ {0,3}\\(?(?:esc|ctrl\\+c) to (?:interrupt|cancel|stop), (?:\\d+[hm] ?){0,3}\\d+s\\)?$';

/** A row that ends with the time that has passed, and a hint how to interrupt. */
const endingHint = '\\d+s(?: ?[·•|,] ?| {2,})(?:esc|ctrl\\+c) (?:again )?to (?:interrupt|cancel|stop)$';

/** A row with the mark of an answer and a key at its end, perhaps with the time that has passed. */
const answeredHint =
  '^ {0,3}[✦◆●⏺] +\\S.*[ (](?:(?:[Ee]sc(?:ape)?|⎋)(?: \\S{1,20}){1,3}|[Pp]ress \\S{1,8} to \\S+|\\w: \\w+)\\)?(?:[ ,·(]{0,4}\\d{1,5}(?:\\.\\d)?[hms]){0,3}\\)*$';

/** Rules for any pane: it is dead, or in a mode that hides the live screen. */
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

/** Rules for every CLI: its exit to a shell, its status sequences, and a draft in its composer. */
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
    // A key that ends what runs: where an update puts its hint, or how it words it, is not known.
    id: 'composer/stray-hint',
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'screen', row: loneHint },
      { in: 'live', row: answeredHint },
      { in: 'live', last: 2, row: endingHint },
    ],
    none: [
      { in: 'composer', is: 'draft' },
      { in: 'status', row: '(?:^|[;:])state=(?:idle|done|ready)\\b' },
    ],
  },
  {
    // In this mode, letters are commands, not text.
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
 * A page, a picker or a dialog that floats over the transcript, with the empty composer below. It gets what is typed.
 * Its row of keys is far from the left edge, where no answer begins, and ends with the key that closes it.
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

/** What small letters at the left of a footer name: keys, and what they open. */
const footerNames = 'tab|ctrl|alt|shift|esc|enter|sidebar|next|open|commands?|help|agents?|sessions?|models?|variants?';

/**
 * A few words alone at the left of the footer, where the CLI shows what it does: they may announce work in any language,
 * without any sign. Capitals name modes.
 */
export function footerWords(harness: string): ScreenRule {
  return {
    id: `${harness}/footer-words`,
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [
      {
        in: 'footer',
        row: `^(?: *(?=\\p{Lu}|\\p{Lo}|[\\p{L} ]*(?!\\p{ASCII})\\p{L})(?![A-Z]{3,}(?: |$))| {0,6}(?=\\p{Ll})(?!(?:${footerNames})\\b))\\p{L}[\\p{L}\\p{M}'’-]+(?: [\\p{L}\\p{M}'’-]+){0,4}(?:…|\\.{3})?(?: {2,}|$)`,
      },
    ],
    any: [...empty],
    // The folder is there instead, and a narrow pane wraps it.
    none: [{ in: 'footer', text: '^(?:~?/|[A-Z]:)\\S*[/-] ' }],
  };
}

/** A title that says in words that the CLI works, or for how long. */
const workingTitle =
  '^(?:\\S )?\\p{L}+ing(?:…|\\.{3})(?: |$)| [–—|-] [Ww]orking(?:…|\\.{3})?$|^[([](?:\\d+[hm] ?){0,2}\\d+s[)\\]]';

/**
 * A title that says that the CLI works, or one with an unknown leading sign. `rest` lists the signs at rest, for a character class; `ended` proves rest
 * despite an unknown sign.
 */
export function unknownTitle(harness: string, rest = '', ended: readonly ScreenCondition[] = []): ScreenRule {
  return {
    id: `${harness}/unknown-title`,
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [{ in: 'title', row: `^[^\\p{L}\\p{N}\\s/~.,:(\\[{<>"'_$@#|${rest}-]|${workingTitle}` }],
    any: [...empty],
    none: [...ended],
  };
}
