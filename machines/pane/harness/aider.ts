import type { HarnessScreens, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import { cliRules, empty, noSigns, rank, strayPrompt, unknownTitle, wordStart, workingRow } from './common.ts';

/**
 * aider. It prints line by line, so the last row decides: a bare `>`, perhaps after the mode, is its composer, a
 * question with `(Y)es/(N)o` waits, and a light that runs back and forth works. The only sign of a streaming answer is
 * text below the submitted prompt.
 */
const layout: ScreenLayout = {
  composers: [{ kind: 'open', prompt: '^(?:[a-z][a-z-]*(?: multi)?)?>(?: |$)', more: '^\\.(?: |$)' }],
  forms: [],
  live: '^',
  echo: '^(?:[a-z][a-z-]*(?: multi)?)?> \\S',
  known: { ends: ['^Tokens: \\d', '^─{8}'], rows: [`^ *(?!${workingRow})${wordStart}`], signs: noSigns },
  stale: '\\S',
  ghost: { looks: [], texts: [], plainTexts: [] },
};

/** A question, with the keys that answer it and what Enter answers, and nothing typed. */
const question = '\\(Y\\)es/\\(N\\)o\\b[^?]*\\]: ?$';

const rules: readonly ScreenRule[] = [
  unknownTitle('aider'),
  {
    id: 'aider/permission',
    priority: rank.form + 10,
    state: 'AGENT_STATE_WAITING',
    reason: 'permission',
    all: [
      { in: 'tail', last: 3, text: question },
      { in: 'tail', last: 3, text: '\\b(?:Run|Edit|Allow|Create)\\b[^?]*\\? \\(Y\\)es' },
    ],
    none: [{ in: 'tail', last: 3, text: '\\b(?:pip|git repo|track)\\b[^?]*\\? \\(Y\\)es' }],
  },
  {
    id: 'aider/question',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [{ in: 'tail', last: 3, text: question }],
  },
  {
    id: 'aider/waiting-light',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'tail', last: 1, row: '^ *(?:[░█]{2}|[#=]{2} {2,}|[\\u2800-\\u28ff] )' }],
  },
  {
    id: 'aider/retrying',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: 'retrying',
    all: [{ in: 'tail', last: 1, row: '^Retrying in \\d' }],
  },
  {
    id: 'aider/answering',
    priority: rank.unsure,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      { in: 'screen', row: '^(?:[a-z][a-z-]*(?: multi)?)?> (?!/(?:exit|quit)\\b)\\S' },
      { in: 'tail', is: 'present' },
    ],
    // After the token count, the turn is ending. A row that may be a question or a shell prompt proves nothing.
    none: [
      { in: 'composer', is: 'present' },
      { in: 'tail', row: '^Tokens: \\d|^\\^C|^Traceback \\(|^─{8}' },
      { in: 'tail', last: 1, row: `${strayPrompt}|[\\]):?>$#%❯➜]$|^\\S{1,2}$` },
      { in: 'screen', row: '^(?:[a-z][a-z-]*(?: multi)?)?> /(?:exit|quit)\\b' },
    ],
  },
  {
    id: 'aider/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How aider's screens are read. */
export const aider: HarnessScreens = { harness: 'aider', layout, rules: [...cliRules, ...rules] };
