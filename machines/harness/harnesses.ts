import { isNewer } from '#contract/pane/harness-version.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { stricter } from '#machines/pane/stricter.ts';
import type { Harness } from './definition.ts';

/**
 * The harnesses that are known at one place. Whoever needs one is given these: what is built in, or that together with
 * what people have added on a host, as it is at the moment of the question.
 */
export interface Harnesses {
  /** In the order in which a first workflow prefers them. */
  all(): readonly Harness[];
  /** The harness of a name; undefined if there is none. */
  find(name: string): Harness | undefined;
}

/** The harnesses of a list that does not change. */
export function harnessesOf(list: readonly Harness[]): Harnesses {
  const byName = new Map(list.map((harness) => [harness.name, harness]));
  return { all: () => list, find: (name) => byName.get(name) };
}

/**
 * What is known of a harness's screens; of an unknown one nothing is, so that every reading of it is uncertain. They are
 * stricter for a CLI whose `version` is newer than the one that they were recorded with.
 */
export function screensOf(harnesses: Harnesses, name: string, version?: string): HarnessScreens {
  const known = harnesses.find(name);
  if (known === undefined) return { harness: name, layout: blankLayout, rules: [] };
  return isNewer(version, known.recordedWith) ? stricter(known.screens) : known.screens;
}

/** A layout in which nothing is found. */
export const blankLayout: HarnessScreens['layout'] = {
  composers: [],
  forms: [],
  ghost: { looks: [], texts: [], plainTexts: [] },
};
