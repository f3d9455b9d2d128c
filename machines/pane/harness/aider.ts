import type { HarnessScreens, ScreenLayout, ScreenRule } from '#contract/screen-rule.ts';
import { cliRules, empty, rank } from './common.ts';

/**
 * aider. It writes line after line, so what counts is the last row: a bare `>`, with the mode before it, is its composer, a
 * question with `(Y)es/(N)o` waits, and a light that runs to and fro works. An answer that streams has no sign at all.
 */
const layout: ScreenLayout = {
  composers: [{ kind: 'open', prompt: '^(?:[a-z][a-z-]*(?: multi)?)?>(?: |$)', more: '^\\. ' }],
  forms: [],
  stale: '\\S',
  ghost: { looks: [], texts: [], plainTexts: [] },
};

const rules: readonly ScreenRule[] = [
  {
    id: 'aider/question',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'question',
    all: [{ in: 'tail', last: 3, text: '\\(Y\\)es/\\(N\\)o\\b[^?]*\\]: ?$' }],
  },
  {
    id: 'aider/waiting-light',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'tail', last: 1, row: '^ *(?:[░█]{2}|[\\u2800-\\u28ff] )' }],
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
