import type { Capture } from '#contract/pane/capture.ts';
import type { RecordedScreen } from '#contract/pane/recorded-screen.ts';
import { parseScreen } from '#machines/pane/screen.ts';

/** A change that says nothing about what the CLI is doing, by a word for it. */
interface Variation {
  readonly what: string;
  /** Whether every word stays, so that nothing that shows a state can be lost. */
  readonly keepsWords: boolean;
  change(capture: Capture): Capture;
}

const columns = 60;

const variations: readonly Variation[] = [
  { what: 'without colours', keepsWords: true, change: (capture) => ({ ...capture, rows: plainRows(capture) }) },
  {
    what: 'with other numbers',
    keepsWords: true,
    change: (capture) => ({ ...capture, rows: withOtherNumbers(capture.rows) }),
  },
  {
    what: `cut to ${columns} columns`,
    keepsWords: false,
    change: (capture) => ({ ...capture, width: columns, rows: plainRows(capture).map((row) => row.slice(0, columns)) }),
  },
  {
    what: 'scrolled by a third',
    keepsWords: false,
    change: (capture) => ({ ...capture, rows: scrolled(capture) }),
  },
];

/** A form that a recorded screen could as well have had. */
export interface Variant extends Pick<Variation, 'what' | 'keepsWords'> {
  readonly screen: RecordedScreen;
}

/** A recorded screen in forms that it could as well have had, each with what was changed. */
export function variantsOf(screen: RecordedScreen): Variant[] {
  return variations.map(({ what, keepsWords, change }) => ({
    what,
    keepsWords,
    screen: { ...screen, capture: change(screen.capture) },
  }));
}

function plainRows({ rows }: Capture): string[] {
  return parseScreen(rows).rows.map(({ text }) => text);
}

/** Every number that stands alone, and is part of no escape sequence, becomes another one of the same length. */
function withOtherNumbers(rows: readonly string[]): string[] {
  return rows.map((row) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are left as they are
    row.replace(/\u001b\[[0-9;:]*m|(?<=[\s(])\d+(?=s\b)/g, (found) =>
      found.startsWith('\u001b') ? found : found.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10)),
    ),
  );
}

/** The upper third without its text, as if less had been said; a screen that is not full stays as it is. */
function scrolled(capture: Capture): readonly string[] {
  const { rows, height } = capture;
  const gone = Math.floor(height / 3);
  const first = plainRows(capture).findIndex((text, at) => at >= gone && text !== '');
  const isFull = first >= 0 && plainRows(capture).length > height - gone;
  return isFull ? rows.map((row, at) => (at < gone ? '' : row)) : rows;
}
