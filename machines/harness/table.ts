import type { HarnessScreens } from '#contract/screen-rule.ts';
import { aider } from './aider.ts';
import { amp } from './amp.ts';
import { claude } from './claude.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import type { Harness } from './definition.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';
import { shell } from './shell.ts';

/** Every harness, in the order in which a first workflow prefers them. */
export const harnesses: readonly Harness[] = [
  claude,
  codex,
  gemini,
  opencode,
  copilot,
  qwen,
  pi,
  cline,
  aider,
  cursor,
  amp,
  shell,
];

/** The harness of a name; undefined where there is none. */
export function harnessOf(name: string): Harness | undefined {
  return harnesses.find((harness) => harness.name === name);
}

/** What is known of a harness's screens; of an unknown one nothing is, so that every reading of it is uncertain. */
export function screensOf(name: string): HarnessScreens {
  return harnessOf(name)?.screens ?? { harness: name, layout: unknownLayout, rules: [] };
}

const unknownLayout: HarnessScreens['layout'] = {
  composers: [],
  forms: [],
  ghost: { looks: [], texts: [], plainTexts: [] },
};
