import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
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

/** What is known of a harness's screens; of an unknown one nothing is, so that every reading of it is uncertain. */
export function screensOf(harnesses: Harnesses, name: string): HarnessScreens {
  return harnesses.find(name)?.screens ?? { harness: name, layout: blankLayout, rules: [] };
}

/** A layout in which nothing is found. */
export const blankLayout: HarnessScreens['layout'] = {
  composers: [],
  forms: [],
  ghost: { looks: [], texts: [], plainTexts: [] },
};
