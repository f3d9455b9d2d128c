import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { cliRules } from './common.ts';
import { opencode } from './opencode.ts';

/** What does not hold of Kilo: its tips come as they come, and the one about providers says nothing about a sign-in. */
const notOwn = ['opencode/no-provider'];

/**
 * How Kilo's screens are read. It is made from OpenCode, and draws the same composer, forms and dialogs: its rules are
 * the same, under ids of its own.
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
