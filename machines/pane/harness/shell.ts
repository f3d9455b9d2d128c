import type { HarnessScreens, ScreenCondition, ScreenRule } from '#contract/pane/screen-rule.ts';
import { goneRules, rank } from './common.ts';

/** The PS1 of a shell pane. It is bold, so a `$` in a folder's name is not mistaken for the end of the prompt. */
export const shellPrompt = '\\[\\e[1m\\]muster:\\W$\\[\\e[0m\\] ';

const prompt = '^(?:(?!muster:).)*muster:[^$]*\\$ ';
const boldPrompt = '(muster:.*\\$) ';
const yesOrNo = '[[(](?:[Yy]/[Nn]|[Yy]es/[Nn]o)(?:/[^\\])]*)?[\\])]';
const secret = '\\b[Pp]ass(?:word|phrase)\\b[^:]*';
const atShell: ScreenCondition = { in: 'command', row: '^-?bash$' };

/** bash's own prompt, or a command that goes on in the next row. */
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
      { in: 'typed', row: `(?:${yesOrNo}|${secret})[ ?:]*$` },
    ],
    none: [atShell, { in: 'beyond', is: 'present' }],
  },
  {
    // bash's own `read -p` asks. bash may as well be at work behind a row that looks so: it must end as a question
    // does.
    id: 'shell/read',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    answer: 'line',
    all: [atShell, { in: 'typed', row: `(?:${yesOrNo}[ ?:]*|${secret}[?:] ?)$` }],
    none: [...notAsked],
  },
  {
    // Whatever the row says: it waits for a line.
    id: 'shell/input',
    priority: rank.form - 10,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    answer: 'line',
    all: [
      { in: 'input', row: '^line$' },
      { in: 'typed', row: '(.*\\p{L}.*)' },
    ],
    none: [...notAsked],
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
      // bash makes stand out what was pasted, which may go on below the row of its prompt.
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

/** How a plain bash is read: it is the harness of demonstrations and tests. */
export const shell: HarnessScreens = {
  harness: 'shell',
  layout: { composers: [], forms: [], ghost: { looks: [], texts: [], plainTexts: [] } },
  rules,
};
