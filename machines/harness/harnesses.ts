import { isNewer } from '#contract/pane/harness-version.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { stricter } from '#machines/pane/stricter.ts';
import type { Harness } from './definition.ts';

/**
 * A collection of harnesses: the built-in ones, or those of a host, which include what people have added there so far.
 */
export interface Harnesses {
  /** In the order in which a first workflow prefers them. */
  all(): readonly Harness[];
  /** The harness with a name; undefined if there is none. */
  find(name: string): Harness | undefined;
}

/** The harnesses of a fixed list. */
export function harnessesOf(list: readonly Harness[]): Harnesses {
  const byName = new Map(list.map((harness) => [harness.name, harness]));
  return { all: () => list, find: (name) => byName.get(name) };
}

/**
 * The rules for a harness's screens. They are stricter if the CLI's `version` is newer than the recorded one. For an
 * unknown harness there are none, so that every reading is uncertain.
 */
export function screensOf(harnesses: Harnesses, name: string, version?: string): HarnessScreens {
  const known = harnesses.find(name);
  if (known === undefined) return { harness: name, layout: blankLayout, rules: [] };
  return isNewer(version, known.recordedWith) ? stricter(known.screens) : known.screens;
}

/** A layout that matches nothing. */
export const blankLayout: HarnessScreens['layout'] = {
  composers: [],
  forms: [],
  ghost: { looks: [], texts: [], plainTexts: [] },
};
