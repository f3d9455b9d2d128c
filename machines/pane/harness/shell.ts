import type { HarnessScreens, ScreenCondition, ScreenRule } from '#contract/pane/screen-rule.ts';
import { goneRules, rank, strayPrompt } from './common.ts';

/** The PS1 of a shell pane. It is bold, so a `$` in a folder's name is not mistaken for the end of the prompt. */
export const shellPrompt = '\\[\\e[1m\\]muster:\\W$\\[\\e[0m\\] ';

const prompt = '^(?:(?!muster:).)*muster:[^$]*\\$ ';
const boldPrompt = '(muster:.*\\$) ';
/** Programs that read keys for as long as they run: pagers, editors, choosers. */
const keyTakers =
  '^(?:less|more|most|man|vi|vim|nvim|view|vimdiff|nano|pico|emacs|micro|hx|helix|joe|mcedit|ed|tig|fzf|dialog|whiptail)$';
/** Programs whose prompt is only a bracket. */
const bracketed = '^(?:node|deno|bun|R|lua|php|perl|ruby|ghci|ftp|bc)[\\d.]*$';
/** The prompts of interpreters, with the typed text. */
const interpreter =
  '^(?:>>>|\\.\\.\\.| *\\.\\.\\.>| {4}->|In \\[\\d+\\]:|\\((?:gdb|lldb|Pdb|pdb|ipdb|rdb)\\)|(?:sqlite|mysql|MariaDB|ghci|jshell|julia|scala|sftp|ftp|redis|iex|irb|pry)[^>]{0,40}>|[\\w.-]+[=-][#>])(?: |$)';
/**
 * A row that asks in words: with a question mark, with choices in brackets, or with the name of the requested value.
 */
const wording =
  '^(?=.*\\p{L}).*\\?[)\\] ]{0,3}$|\\[(?:\\S,){1,20}\\S\\][ ?:]{0,3}$|^\\p{L}[\\p{L} _-]{1,30}: \\([^()]*\\) *$|^(?:[Uu]ser(?: ?name)?|[Ll]ogin|(?:[Yy]our )?(?:[Nn]ame|[Ee]-?mail|[Tt]oken|[Cc]ode)|[Ee]nter|[Tt]ype|[Pp]lease|[Ss]elect|[Cc]hoose|[Cc]hoice|[Ww]hich|[Ww]hat|[Nn]ew|[Cc]onfirm|[Rr]epeat|OTP)\\b[^:]{0,60}(?::[^: ][^:]{0,60}){0,4}: *$|^#\\? *$';
const yesOrNo = '[[(](?:[Yy]/[Nn]|[Yy]es/[Nn]o)(?:/[^\\])]*)?[\\])]';
const secret = '\\b[Pp]ass(?:word|phrase)\\b[^:]{0,60}(?::[^ :][^:]{0,60}){0,4}';
const atShell: ScreenCondition = { in: 'command', row: '^-?bash$' };

/** bash's own prompt, or a command that continues in the next row. */
const notAsked: readonly ScreenCondition[] = [
  { in: 'beyond', is: 'present' },
  { in: 'typed', row: prompt },
  { in: 'typed', row: '(muster:.*?\\$) ', look: 'bold' },
  { in: 'typed', row: '^> ' },
];

const rules: ScreenRule[] = [
  ...goneRules,
  {
    id: 'shell/question',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    answer: 'line',
    all: [
      { in: 'command', is: 'present' },
      { in: 'typed', row: `(?:${yesOrNo}|${secret})[ ?:]*$|${wording}` },
    ],
    none: [atShell, { in: 'beyond', is: 'present' }],
  },
  {
    // `read -p` of bash asks. But bash may also be working after such a row, so the row must end like a question.
    id: 'shell/read',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    answer: 'line',
    all: [atShell, { in: 'typed', row: `(?:${yesOrNo}[ ?:]*|${secret}[?:] ?)$|${wording}` }],
    none: [...notAsked, { in: 'input', row: '^none$' }],
  },
  {
    // It waits for a line, whatever the row says.
    id: 'shell/input',
    priority: rank.form - 10,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    answer: 'line',
    all: [
      { in: 'input', row: '^line$' },
      { in: 'typed', row: '\\S' },
    ],
    none: [...notAsked],
  },
  {
    // It asks nothing, and goes no further without a line.
    id: 'shell/bare-input',
    priority: rank.form - 12,
    state: 'AGENT_STATE_WAITING',
    reason: 'input',
    answer: 'line',
    all: [
      { in: 'input', row: '^line$' },
      { in: 'typed', is: 'absent' },
    ],
    none: [{ in: 'beyond', is: 'present' }],
  },
  {
    // An interpreter waits for its next line, even if part of it is typed.
    id: 'shell/interpreter',
    priority: rank.form - 5,
    state: 'AGENT_STATE_WAITING',
    reason: 'input',
    answer: 'line',
    all: [
      { in: 'command', is: 'present' },
      { in: 'typed', row: interpreter },
    ],
    none: [atShell, { in: 'beyond', is: 'present' }],
  },
  {
    id: 'shell/bracket',
    priority: rank.form - 5,
    state: 'AGENT_STATE_WAITING',
    reason: 'input',
    answer: 'line',
    all: [
      { in: 'command', row: bracketed },
      { in: 'typed', row: '^>(?: |$)' },
    ],
    none: [{ in: 'beyond', is: 'present' }],
  },
  {
    id: 'shell/keys',
    priority: rank.form - 8,
    state: 'AGENT_STATE_WAITING',
    reason: 'input',
    all: [{ in: 'command', row: keyTakers }],
  },
  {
    // Another program, such as git, has started a pager or an editor: the last row shows it.
    id: 'shell/pager',
    priority: rank.form - 8,
    state: 'AGENT_STATE_WAITING',
    reason: 'input',
    all: [
      { in: 'command', is: 'present' },
      { in: 'typed', row: '^(?::|\\(END\\)|--More--.*)$' },
    ],
    none: [atShell, { in: 'beyond', is: 'present' }],
  },
  {
    id: 'shell/editor',
    priority: rank.form - 8,
    state: 'AGENT_STATE_WAITING',
    reason: 'input',
    all: [
      { in: 'command', is: 'present' },
      {
        in: 'screen',
        last: 1,
        row: '^(?:"|<\\S*)[^"]+" (?:\\d+L, \\d+[BC]|\\[New\\])|^-- (?:INSERT|REPLACE|VISUAL(?: LINE| BLOCK)?) --|^\\^X \\S',
      },
    ],
    none: [atShell],
  },
  {
    // A menu of a script: the mark of its heading changes once a choice is made.
    id: 'shell/menu',
    priority: rank.form - 30,
    state: 'AGENT_STATE_WAITING',
    reason: 'selection',
    all: [
      { in: 'command', is: 'present' },
      { in: 'screen', last: 16, row: '^[?◆] +\\S' },
      { in: 'screen', last: 14, row: '^(?:[│┃] )? *[❯›●◉◻◼] +\\S' },
    ],
    none: [atShell, { in: 'screen', last: 1, row: strayPrompt }],
  },
  {
    // A text input of such a script: the cursor is on its question, or in the frame below its heading.
    id: 'shell/text',
    priority: rank.form - 30,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [{ in: 'command', is: 'present' }],
    any: [
      { in: 'typed', row: '^\\? +\\S' },
      { in: 'screen', last: 4, text: '◆ \\S[^◆]* └$' },
    ],
    none: [atShell],
  },
  {
    id: 'shell/command',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'command', is: 'present' }],
    none: [atShell],
  },
  {
    id: 'shell/prompt',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [atShell],
    any: [
      { in: 'typed', row: `${prompt}$` },
      { in: 'typed', row: `${boldPrompt}$`, look: 'bold' },
    ],
    none: [{ in: 'beyond', is: 'present' }],
  },
  {
    id: 'shell/draft',
    priority: rank.draft,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'draft',
    all: [atShell],
    any: [
      // bash highlights pasted text, which may continue below the row of its prompt.
      { in: 'typed', row: '(\\S.*)', look: 'italic' },
      { in: 'typed', row: '(\\S.*)', look: 'reverse' },
      { in: 'typed', row: prompt },
      { in: 'typed', row: '(muster:.*?\\$) ', look: 'bold' },
      { in: 'typed', row: '^> ' },
    ],
  },
  {
    id: 'shell/builtin',
    priority: rank.draft - 100,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [atShell, { in: 'screen', is: 'present' }],
  },
];

/** How a plain bash is read. It is the harness of demonstrations and tests. */
export const shell: HarnessScreens = {
  harness: 'shell',
  layout: { composers: [], forms: [], ghost: { looks: [], texts: [], plainTexts: [] } },
  rules,
};
