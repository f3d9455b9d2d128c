import type { RecordedScreen } from '#contract/pane/recorded-screen.ts';
import type { ComposerShape, KnownRows, ScreenLayout } from '#contract/pane/screen-rule.ts';
import { noSigns, strayPrompt, wordStart, workingRow } from '#machines/pane/harness/common.ts';
import { cutRegions } from '#machines/pane/region.ts';
import { composerShapes, textsOf } from './composer-shape.ts';
import { literal } from './literal.ts';

/** Rows that may be above any composer at rest: indented rows, and rows that begin like text. */
const knownRows: readonly string[] = ['^ {3}', `^ {0,2}(?!${workingRow})${wordStart}`];

/** Known rows that also include rows by their leading signs, unless they are working rows. */
export function withHeads(known: KnownRows, texts: readonly string[]): KnownRows {
  const found = texts.map((text) => /^ {0,3}([^\p{L}\p{N}\s]{1,2}) +\S/u.exec(text)?.[1]);
  const heads = [...new Set(found)].flatMap((head) => (head === undefined ? [] : [literal(head)]));
  const rows = heads.map((head) => `^(?! {0,3}(?:${workingRow})) {0,3}${head} +\\S`);
  return {
    ...known,
    rows: [...new Set([...known.rows, ...knownRows, ...rows])],
    signs: [known.signs ?? noSigns, ...heads].join('|'),
  };
}

/** The changes of a layout that make it find the composer at rest and with a draft; empty if it already does. */
export function learnLayout(layout: ScreenLayout, screens: readonly RecordedScreen[]): Partial<ScreenLayout> {
  const relevant = screens.filter(({ label }) => label === 'rest' || label === 'draft');
  const ghosted = withPlaceholder(layout, relevant);
  let best = { layout: ghosted, found: inkFound(ghosted, relevant) };
  for (const shape of composerShapes(screens)) {
    for (const composers of [[shape, ...layout.composers], [shape]]) {
      const candidate = withPlaceholder({ ...layout, ...surroundings(shape, layout), composers }, relevant);
      const found = inkFound(candidate, relevant);
      if (found > best.found) best = { layout: candidate, found };
    }
  }
  const learned = best.layout;
  const keys = Object.keys(learned) as (keyof ScreenLayout)[];
  const changed = keys.filter((key) => JSON.stringify(learned[key]) !== JSON.stringify(layout[key]));
  return Object.fromEntries(changed.map((key) => [key, learned[key]]));
}

/** On how many screens at rest an empty composer is found, and on how many with a draft one that holds it. */
function inkFound(layout: ScreenLayout, screens: readonly RecordedScreen[]): number {
  return screens.filter(({ label, capture }) => {
    const { ink } = cutRegions(layout, capture);
    return label === 'draft' ? ink === 'draft' : ink === 'blank' || ink === 'ghost';
  }).length;
}

/** The layout around a composer that was found: blocks of text above it, and shell prompts below it. */
function surroundings(shape: ComposerShape, { live, stale, known }: ScreenLayout): Partial<ScreenLayout> {
  if (shape.kind === 'barred') return {};
  const rows = [...knownRows];
  return { live: live ?? '^(?: |$)', stale: stale ?? strayPrompt, known: known ?? { ends: [], rows, signs: noSigns } };
}

/** Adds the first words of an empty composer's placeholder to a layout, if no style distinguishes it from a draft. */
function withPlaceholder(layout: ScreenLayout, screens: readonly RecordedScreen[]): ScreenLayout {
  const said = screens
    .filter(({ label }) => label === 'rest')
    .map(({ capture }) => cutRegions(layout, capture))
    .filter(({ ink }) => ink === 'draft')
    .map(({ rows }) =>
      rows.composer
        .map(({ text }) => text)
        .join('\n')
        .trim(),
    );
  const first = commonStart(said.map((text) => text.split('\n')[0] ?? ''));
  if (first === undefined || isTyped(first, screens)) return layout;
  const texts = [...layout.ghost.texts, `^${literal(first)}`];
  return { ...layout, ghost: { ...layout.ghost, texts } };
}

/** The words that texts begin with, at least two; undefined if there are none. */
function commonStart(texts: readonly string[]): string | undefined {
  const [first, ...others] = texts.map((text) => text.split(' '));
  if (first === undefined) return undefined;
  const end = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  const words = end < 0 ? first : first.slice(0, end);
  return words.length < 2 ? undefined : words.slice(0, 6).join(' ');
}

function isTyped(words: string, screens: readonly RecordedScreen[]): boolean {
  return screens.some((screen) => screen.label === 'draft' && textsOf(screen).some((row) => row.includes(words)));
}
