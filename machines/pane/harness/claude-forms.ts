import type { ScreenCondition, ScreenRule } from '#contract/pane/screen-rule.ts';
import { leftBehind, rank, resetTime } from './common.ts';

/** A form whose head and mark have scrolled off a short pane. */
const cut: ScreenRule = {
  id: 'claude/cut-form',
  priority: rank.form,
  state: 'AGENT_STATE_WAITING',
  reason: 'selection',
  all: [
    { in: 'tail', row: '^ {0,3}(?:[❯>] +)?\\d+\\. \\S' },
    {
      in: 'tail',
      last: 1,
      row: '^ ?(?:Esc to cancel(?: · |$)|Enter to (?:select|confirm)\\b.* · Esc to (?:cancel|exit))',
    },
  ],
  none: [{ in: 'composer', is: 'present' }, { in: 'tail', row: '^[●⏺] ' }, leftBehind],
};

/** The forms that hold Claude Code's keyboard. */
export const claudeForms: readonly ScreenRule[] = [
  form('trust', 'trust', 40, 'trust (?:this|the files)|project you (?:created|trust)'),
  form('sign-in', 'sign-in', 40, 'login method|log in|sign in|API key'),
  form('plan', 'plan', 30, 'plan mode\\?|Claude has written|Here is Claude.s plan|Ready to code'),
  { ...form('usage-limit', 'usage-limit', 15, '\\d[.)] [^?.]{0,40}\\blimit to reset'), detail: resetTime },
  form('question', 'question', 20, 'Chat about this|Type something|Submit answers'),
  form('permission', 'permission', 10, '\\b[Dd]o you want to |\\bAllow\\b|1\\. Yes.* \\d\\. No'),
  form('menu', 'menu', 5, '^▔|Enter to (?:save|set)|to adjust'),
  form('selection', 'selection', 0),
  {
    ...cut,
    id: 'claude/cut-permission',
    priority: rank.form + 10,
    reason: 'permission',
    all: [...cut.all, { in: 'tail', last: 1, row: '^ ?Esc to cancel · Tab to amend\\b' }],
  },
  cut,
  // A scrolling list, of which a short pane may show a single choice.
  paged('scrolled-menu', 'menu', 5, [
    { in: 'tail', row: '^ *[❯>] +\\d+\\. \\S' },
    { in: 'tail', row: '^ *[↑↓] \\d+ more$' },
  ]),
  paged('cut-sign-in', 'sign-in', 40, [{ in: 'tail', row: '^ {1,4}Select login method:' }]),
  // A page of which a short pane shows no choice.
  { ...paged('page', 'menu', 0, []), priority: rank.unsure, state: 'AGENT_STATE_UNCERTAIN' },
  {
    id: 'claude/keys',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'sign-in',
    all: [{ in: 'tail', last: 3, text: 'Paste code here if prompted|Press Enter to continue' }],
    none: [{ in: 'composer', is: 'present' }],
  },
];

/** A form of Claude: its shape alone makes it WAITING, and the words only name its kind. */
function form(name: string, reason: string, above: number, words?: string): ScreenRule {
  return {
    id: `claude/${name}`,
    priority: rank.form + above,
    state: 'AGENT_STATE_WAITING',
    reason,
    all: [{ in: 'form', is: 'present' }, ...(words === undefined ? [] : [{ in: 'form' as const, text: words }])],
  };
}

/** A page that replaces the composer, below the line that opens it. */
function paged(name: string, reason: string, above: number, words: readonly ScreenCondition[]): ScreenRule {
  return {
    id: `claude/${name}`,
    priority: rank.form + above,
    state: 'AGENT_STATE_WAITING',
    reason,
    // It extends to the last row, and all of it is indented.
    all: [{ in: 'tail', row: '^▔{8}' }, { in: 'tail', last: 1, row: '^ ' }, ...words],
    none: [{ in: 'composer', is: 'present' }, { in: 'tail', text: '▔{8}.*[▐▝][▛▜]' }, leftBehind],
  };
}
