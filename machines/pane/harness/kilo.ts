import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { cliRules } from './common.ts';
import { opencode } from './opencode.ts';

/**
 * Rules of OpenCode that do not apply: Kilo shows tips at random, and the one about providers does not mean a sign-in; its
 * composer is grey at rest.
 */
const notOwn = ['opencode/no-provider', 'opencode/leader', 'opencode/leader-painted'];

/**
 * How Kilo's screens are read. It is a fork of OpenCode with the same composer, forms and dialogs, so it has the same
 * rules, with ids of its own.
 */
export const kilo: HarnessScreens = {
  harness: 'kilo',
  layout: opencode.layout,
  rules: [
    ...cliRules,
    ...opencode.rules
      .filter(({ id }) => id.startsWith('opencode/') && !notOwn.includes(id))
      .map((rule) => ({ ...rule, id: rule.id.replace('opencode/', 'kilo/') })),
  ],
};
