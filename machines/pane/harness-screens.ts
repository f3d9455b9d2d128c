import type { HarnessScreens } from '#contract/screen-rule.ts';
import { claude } from './harness/claude.ts';
import { codex } from './harness/codex.ts';
import { gemini } from './harness/gemini.ts';
import { opencode } from './harness/opencode.ts';
import { shell } from './harness/shell.ts';

/** Every CLI whose screens are known, by the name of its harness. */
export const harnessScreens: ReadonlyMap<string, HarnessScreens> = new Map(
  [claude, codex, gemini, opencode, shell].map((screens) => [screens.harness, screens]),
);

/** What is known of a harness; of an unknown one nothing is, so that every reading of it is UNCERTAIN. */
export function screensOf(harness: string): HarnessScreens {
  return harnessScreens.get(harness) ?? { harness, layout: nothing, rules: [] };
}

const nothing: HarnessScreens['layout'] = {
  composers: [],
  forms: [],
  ghost: { looks: [], texts: [], plainTexts: [] },
};
