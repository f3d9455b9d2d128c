import type { HarnessScreens, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import { cliRules, empty, rank, strayPrompt, unknownTitle, wordStart, workingRow } from './common.ts';
import { failureRules } from './failures.ts';

/**
 * pi. The composer is whatever is between the last two rules, without a glyph; a menu takes its place between the same
 * rules. The working row is right above them, in newer versions in the upper rule. It asks no questions of its own, and
 * its title carries no state.
 */
const layout: ScreenLayout = {
  composers: [
    { kind: 'framed', top: '^─{2}(?:─| \\S.* ─)', prompt: '^(?!─{3,})', more: '^(?!─{3,})', bottom: '^─{3,}' },
  ],
  forms: [],
  live: '^(?: {2}|$|── \\S| (?:to )?(?:interrupt|cancel)\\)$)',
  stale: `${strayPrompt}|^ pi v\\d`,
  known: { signs: '›', ends: ['^ Operation aborted$'], rows: [`^ {0,1}(?!${workingRow})${wordStart}`, '^ {2}'] },
  ghost: { looks: ['dim', 'grey'], texts: [], plainTexts: [] },
};

const rules: readonly ScreenRule[] = [
  unknownTitle('pi'),
  {
    id: 'pi/menu',
    priority: rank.form,
    state: 'AGENT_STATE_WAITING',
    reason: 'menu',
    all: [
      { in: 'prompt', row: '^$' },
      { in: 'composer', row: '^ ?[→›❯] \\S' },
    ],
  },
  {
    id: 'pi/retrying-in-rule',
    priority: rank.status + 10,
    state: 'AGENT_STATE_THINKING',
    reason: 'retrying',
    all: [{ in: 'live', row: '^── [\\u2800-\\u28ff] Retrying \\(\\d' }],
  },
  {
    id: 'pi/compacting-in-rule',
    priority: rank.status + 10,
    state: 'AGENT_STATE_THINKING',
    reason: 'compacting',
    all: [{ in: 'live', row: '^── [\\u2800-\\u28ff] (?:Auto-)?[Cc]ompacting\\b' }],
  },
  {
    id: 'pi/working-in-rule',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [{ in: 'live', row: '^── (?:[\\u2800-\\u28ff] \\S|[^─]*(?:\\.\\.\\.|…) \\(\\S+ to cancel|Working ─)' }],
  },
  {
    // The rule contains some other status.
    id: 'pi/unknown-status',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [{ in: 'live', row: '^── \\S' }],
  },
  {
    id: 'pi/working',
    priority: rank.status,
    state: 'AGENT_STATE_THINKING',
    reason: '',
    all: [
      {
        in: 'live',
        row: '^ (?:to )?(?:interrupt|cancel)\\)$|^ [\\u2800-\\u28ff] \\S|^ \\S.*(?:\\.\\.\\.|…) \\((?:esc|escape|ctrl\\+c)(?: [^()]*)?(?:$| to (?:interrupt|cancel)\\)$)',
      },
    ],
  },
  {
    id: 'pi/signed-out',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'sign-in',
    all: [{ in: 'footer', row: '^(?=.*%/0(?: |$)).*(?:^| )(?:unknown|no-model)(?: |$)' }],
  },
  {
    // A full page whose last block looks like a composer. pi shows no placeholder in its composer.
    id: 'pi/page',
    priority: rank.unsure,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'menu',
    all: [{ in: 'composer', is: 'ghost' }],
  },
  ...failureRules('pi', 'Error: '),
  {
    id: 'pi/rest',
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: empty,
  },
];

/** How pi's screens are read. */
export const pi: HarnessScreens = { harness: 'pi', layout, rules: [...cliRules, ...rules] };
