import type { HarnessScreens, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import { claudeCovers } from './claude-covers.ts';
import { claudeFailures } from './claude-failures.ts';
import { claudeForms } from './claude-forms.ts';
import {
  cliRules,
  empty,
  interruptHint,
  logo,
  noticeRow,
  rank,
  statusLine,
  strayPrompt,
  titleSpinner,
  unknownTitle,
  workingRow,
} from './common.ts';

/** The row that ends a turn, whatever its sign. */
const ended = '^\\S \\p{Lu}\\S+ for (?:\\d+[hm] ){0,3}\\d+s(?: · (?:done\\b.*|[^\\d]*))?$';

/**
 * Claude Code. The composer is `❯` between two rules; a live form takes its place. While a turn runs there is a status
 * row above the composer, or a hint in its footer, or at least a grey `❯`.
 */
const layout: ScreenLayout = {
  composers: [
    { kind: 'framed', top: '^──', prompt: '^[❯>!#&](?: |$)', more: '^(?: |$)', bottom: '^──' },
    { kind: 'framed', top: '^╭─', prompt: '^│ [❯>!#&](?: |$)', more: '^│', bottom: '^╰─' },
    { kind: 'framed', top: '^──', prompt: '^[❯>]$', more: '^(?: {2}|$)' },
  ],
  forms: [{ kind: 'marked', marks: '❯>', head: '^ *(?:──|▔▔|╭─)', sealed: true }],
  transcript: '^[●⏺] |^[·✢✳✶✻✽∗*] \\S+ for \\d',
  live: '^(?: |$|[❯>] )',
  echo: '^[❯>] \\S',
  stale: `${strayPrompt}|^ ?[▐▝]{1,2}[▛▜]|^ ?Paste code here`,
  known: {
    signs:
      '[●⏺⎿※∴⛁⛀⛶⛝❯] ?(?:[⛁⛀⛶⛝] ?)*|[◐○◉◌◑◒◓] (?=\\S+ · /effort)|✻ (?=Waiting for 0|Conversation compacted)|… (?=\\+\\d)',
    // The last row of `/context`, too.
    ends: [ended, `${logo}|^ {0,3}[▘▝]{2}`, '^ +SlashCommand Tool · \\d+ commands$'],
    rows: [
      '^ ',
      '^[●⏺] ',
      '^[❯>!#&](?: |$)',
      '^[╭│╰├┌└─═╌▔▐▝▘▎]',
      '^✻ (?:Conversation compacted|Waiting for 0)\\b',
      '^(?:※|∴|⎿) ',
      noticeRow,
      // The rest of a row that was wrapped by a resize.
      `^(?!${workingRow})[\\p{L}\\p{N}("'\`]`,
    ],
  },
  ghost: {
    looks: ['dim'],
    texts: [],
    plainTexts: [
      '^Try "',
      '^Press up to edit queued messages?$',
      '^(?:Resend|Once fixed, resend) your message(?: to try again)?$',
    ],
  },
};

const turns: readonly ScreenRule[] = [
  {
    id: 'claude/retrying',
    priority: rank.status + 20,
    state: 'AGENT_STATE_THINKING',
    reason: 'retrying',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', row: '^[·✢✳✶✻✽∗*] .*[Rr]etrying in \\d' },
      { in: 'live', row: '^ *⎿ .*[Rr]etrying in \\d' },
      { in: 'live', text: '⎿ API [Ee]rror\\b[^⎿●⏺]*[Rr]etrying in \\d' },
    ],
    // An answer may quote such a row; the row itself is below the prompt that failed.
    none: [{ in: 'live', text: '^[●⏺] (?:(?! [❯>] ).)*⎿ .*[Rr]etrying in \\d' }],
  },
  {
    // The status row continues below the answer that failed.
    id: 'claude/retrying-above',
    priority: rank.status + 20,
    state: 'AGENT_STATE_THINKING',
    reason: 'retrying',
    all: [
      { in: 'composer', is: 'present' },
      { in: 'live', row: '^[·✢✳✶✻✽∗*] \\S.*…' },
      { in: 'turn', text: '⎿ [^⎿●⏺]*[Rr]etrying in \\d[^⎿●⏺]*\\battempt \\d+[^⎿●⏺]* [·✢✳✶✻✽∗*] [^●⏺]*…[^●⏺]*$' },
    ],
  },
  {
    id: 'claude/compacting',
    priority: rank.status + 10,
    state: 'AGENT_STATE_THINKING',
    reason: 'compacting',
    all: [
      { in: 'composer', is: 'present' },
      { in: 'live', row: '^[·✢✳✶✻✽∗*] Compacting\\b.*…' },
    ],
  },
  {
    id: 'claude/status-row',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', row: '^[·✢✳✶✻✽∗*] \\S+ing\\b.*…' },
      { in: 'live', row: '^[·✢✳✶✻✽∗] \\S+ing(?: [a-z.]+){0,3}$' },
      { in: 'live', row: '^[·✢✳✶✻✽∗*●] \\S.*… \\((?:.*\\d+s|.*esc)' },
      { in: 'live', row: '^[·✢✳✶✻✽∗*●] Waiting for [1-9]' },
      // What is queued waits for the end of a turn.
      { in: 'live', row: '^ {1,4}⎿ +Queued(?: ·|$)' },
      // The end of a row that was wrapped by a resize.
      { in: 'live', row: '^(?:[^\\s●⏺❯>].*)?\\b(?:interrupt|tokens)(?: ·[^()]*)?\\)$' },
    ],
  },
  {
    id: 'claude/interrupt-hint',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'footer', text: interruptHint }],
    none: [{ in: 'footer', text: statusLine }],
  },
  {
    id: 'claude/background',
    priority: rank.background,
    state: 'AGENT_STATE_THINKING',
    reason: 'background',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', row: '^[^\\s\\p{L}\\p{N}●⏺❯>] .*[ ·][1-9]\\d* .*still running' },
      {
        in: 'footer',
        text: '\\b[1-9]\\d* (?:local |background )?(?:shell|agent|monitor|task|workflow)s?\\b.*to manage',
      },
      {
        in: 'footer',
        row: '(?:^ {1,4}|· )[1-9]\\d* (?:shells?|bash(?:es)?|local agents?|monitors?|background (?:shell|task|agent|bash|workflow)(?:es|s)?)(?: running)?(?:, [1-9]\\d* monitors?)?(?: ·.*)?$',
      },
      { in: 'footer', row: ' (\\d+)/(?!\\1 )\\d+ agents done' },
    ],
  },
  {
    id: 'claude/title',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'title', row: titleSpinner },
      { in: 'composer', is: 'present' },
    ],
  },
  {
    id: 'claude/turn-colour',
    priority: rank.witness,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'prompt', row: '^(❯)', look: 'grey' }],
  },
];

const rests: readonly ScreenRule[] = [
  {
    id: 'claude/unfinished',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [
      { in: 'screen', is: 'plain' },
      { in: 'screen', row: '^[^\\s\\p{L}\\p{N}] .* · done \\d+:\\d' },
      { in: 'live', text: '^[●⏺] ' },
    ],
    none: [{ in: 'live', row: '^ *⎿ ' }],
  },
  {
    // The same if only the footer shows that it is a version which ends each turn with its own row.
    id: 'claude/unfinished-first',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [
      { in: 'screen', is: 'plain' },
      { in: 'footer', row: ' · ← for agents|(?:^ *| {2})← for agents · ' },
      { in: 'live', text: '^[●⏺] .{80}' },
    ],
    none: [{ in: 'live', row: '^ *⎿ ' }],
  },
  {
    // At rest, the mode's row has more text. While a turn runs, its hint may be elsewhere.
    id: 'claude/mode-alone',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [
      { in: 'screen', is: 'plain' },
      { in: 'footer', row: '^ {2}(?:⏵⏵|⏸) [a-z ]+ on$' },
      { in: 'live', text: '^[●⏺] ' },
    ],
    none: [
      { in: 'live', row: '^ *⎿ ' },
      { in: 'live', row: ended },
    ],
  },
  {
    id: 'claude/answer-without-end',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [
      { in: 'screen', is: 'plain' },
      { in: 'composer', is: 'present' },
      { in: 'live', text: '\\S' },
    ],
    // The output of `/context` is not an answer.
    none: [
      { in: 'live', row: '^\\S' },
      { in: 'live', row: '^ +[⛁⛀⛶⛝] ' },
    ],
  },
  {
    // Without colours, nothing else may show that the words are not part of a status line.
    id: 'claude/status-line',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [
      { in: 'footer', text: interruptHint },
      { in: 'screen', is: 'plain' },
    ],
  },
  unknownTitle('claude', '✳', [{ in: 'live', row: ended }]),
  {
    id: 'claude/unanswered',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'transition',
    all: [{ in: 'turn', is: 'present' }],
    // Some of its own commands print nothing.
    none: [{ in: 'turn', row: '^(?:[^\\s❯>]| {1,4}⎿|[❯>] /(?:clear|reset|new)(?: |$))' }],
  },
  {
    id: 'claude/retry-or-quotation',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'live', row: '^ *⎿ .*[Rr]etrying in \\d' },
      { in: 'live', text: '⎿ API [Ee]rror\\b[^⎿●⏺]*\\d+/\\d+\\)' },
    ],
  },
  {
    id: 'claude/shell-mode',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'draft',
    all: [{ in: 'prompt', row: '^(?:│ )?[!#&]' }],
  },
  {
    id: 'claude/exiting',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'exiting',
    all: [{ in: 'footer', text: 'Press \\S+ again to exit' }],
  },
  {
    id: 'claude/signed-out',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'sign-in',
    all: [{ in: 'composer', is: 'present' }],
    any: [
      { in: 'footer', text: '\\bNot logged in\\b|\\b[Rr]un /login\\b' },
      { in: 'live', last: 6, text: '(?:⎿ +|[●⏺] )(?:Not logged in|Invalid API key)\\b.*Please run /login\\b' },
    ],
  },
  {
    id: 'claude/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How Claude Code's screens are read. */
export const claude: HarnessScreens = {
  harness: 'claude',
  layout,
  rules: [...cliRules, ...claudeForms, ...claudeCovers, ...turns, ...claudeFailures, ...rests],
};
